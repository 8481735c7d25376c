import { createHash } from 'node:crypto';
import pg from 'pg';

/**
 * Tables that are filled by the work of agents, and tables to which the service itself writes during that work. Every
 * other table of the database is governed; a new one is included automatically.
 */
const WORK = [
  /^gateway\.(?:audit_\w+|caller_change|caller_lease|content_\w+|execution_token|login|refresh_token|runtime_session|session_content|title_setting|unindexed_content|operator_note)$/,
  /^search\.(?:chunk\w*|credential_key|credential_sighting|session_label|embedding_\w+|vector_space|deleted_session)$/,
  /^search\.saved_search$/,
  /^webhooks\.(?!endpoint|listener$|portal_link$)/,
  /^flows\.(?:execution|execution_workspace_file|idempotency_key)$/,
  /^models\.(?:usage\w*|background_response)$/,
  /^budgets\.(?:bucket|reservation|crossing|key_window)$/,
  /^approvals\.approval_(?:request|run|link|vote)$/,
  /^policies\.(?:backtest|recent_call)$/,
  /^backfill\./,
  /^stats\./,
  /^agents\.candidate$/,
];
/** Columns with times of use, and columns that the service itself updates. */
const NOTED =
  /^(?:last_\w+|updated_at|\w+_seen_at|consecutive_failures|circuit_\w+|status_\w+|salt|refresh(?:ed)?_at|\w*error\w*)$/;

/**
 * Returns the content of the governed tables as one hash per table.
 * @throws if the database cannot be read
 */
export async function readGovernedRows(databaseUrl: string): Promise<ReadonlyMap<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const hashes = new Map<string, string>();
    for (const { name, columns } of await listTables(client)) {
      const { rows } = await client.query<Record<string, unknown>>(`select ${columns.join(', ')} from ${name}`);
      const texts = rows.map((row) => JSON.stringify(row)).toSorted();
      hashes.set(name, createHash('sha256').update(texts.join('\n')).digest('hex'));
    }
    return hashes;
  } finally {
    await client.end();
  }
}

/** Returns the names of the tables whose rows changed. */
export function listChanged(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
}

async function listTables(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select format('%I.%I', table_schema, table_name) as name, array_agg(quote_ident(column_name) order by ordinal_position) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
     group by table_schema, table_name order by 1`,
  );
  return rows
    .filter(({ name }) => !WORK.some((table) => table.test(name)))
    .map(({ name, columns }) => ({
      name,
      columns: columns.filter((column) => !NOTED.test(column.replaceAll('"', ''))),
    }))
    .filter(({ columns }) => columns.length > 0);
}
