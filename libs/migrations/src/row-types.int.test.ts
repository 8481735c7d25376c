import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { findRowSources, readRowTypes, type RowColumn, type TypeFamily } from './testing/read-row-types.ts';

const TYPED = readRowTypes(findRowSources());

/**
 * Tables used only in SQL whose statements list the columns themselves, so that there are no row types that could be
 * wrong.
 */
const SQL_ONLY: readonly string[] = [
  'agents.discovery_setting',
  'backfill.pass',
  'budgets.bucket',
  'budgets.budget',
  'budgets.crossing',
  'budgets.key_window',
  'budgets.merged_agent',
  'budgets.reservation',
  'budgets.revision',
  'gateway.audit_unsealed',
  'gateway.caller_change',
  'gateway.caller_lease',
  'gateway.content_claim',
  'gateway.content_key',
  'gateway.content_removal',
  'gateway.execution_token',
  'gateway.invitation',
  'gateway.login',
  'gateway.refresh_token',
  'gateway.session_deletion',
  'gateway.session_deletion_job',
  'gateway.title_setting',
  'gateway.unindexed_content',
  'models.ai_model',
  'models.background_response',
  'models.revision',
  'models.usage',
  'policies.recent_call',
  'search.account_scope_grant',
  'search.chunk',
  'search.chunk_vector',
  'search.credential_key',
  'search.credential_sighting',
  'search.deleted_session',
  'search.embedding_call',
  'search.embedding_setting',
  'search.embedding_spend',
  'search.embedding_task',
  'search.embedding_usage',
  'search.embedding_work',
  'search.saved_search',
  'search.session_label',
  'search.vector_space',
  'stats.pending',
  'stats.recent',
  'stats.roll_up',
  'tool_servers.begun_login',
  'tool_servers.granted_login',
  'tool_servers.revision',
  'tool_servers.server',
  'tool_servers.subscription',
  'tool_servers.tool',
  'trackers.revision',
  'webhooks.given_up',
  'webhooks.listener',
  'webhooks.listener_event',
  'webhooks.portal_link',
  'webhooks.push_key',
  'webhooks.push_subscription',
];

const FAMILIES: Readonly<Record<string, TypeFamily>> = {
  uuid: 'text',
  text: 'text',
  'character varying': 'text',
  integer: 'number',
  smallint: 'number',
  // TypeScript types that the parsers of the pool return, by the types of the columns.
  bigint: 'number',
  numeric: 'number',
  'double precision': 'number',
  real: 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'time',
  bytea: 'bytes',
  ARRAY: 'array',
  json: 'json',
  jsonb: 'json',
};

describe('the row types of the contexts', () => {
  let database: TestDatabase;
  let stored: Map<string, Map<string, RowColumn & { readonly type: string }>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    stored = await readStored(database.url);
  });
  afterAll(() => database.drop());

  it('name every table, except those known to be read only in SQL', () => {
    expect([...TYPED.keys(), ...SQL_ONLY].sort()).toEqual([...stored.keys()].sort());
  });

  it.each([...TYPED.keys()])('%s has exactly the columns of the table', (table) => {
    expect([...(TYPED.get(table)?.keys() ?? [])].sort()).toEqual([...(stored.get(table)?.keys() ?? [])].sort());
  });

  it.each([...TYPED.keys()])('%s has for each column the driver’s type and its nullability', (table) => {
    const declared: Record<string, RowColumn> = {};
    const actual: Record<string, RowColumn> = {};
    for (const [column, { type, isNullable }] of stored.get(table) ?? []) {
      const row = TYPED.get(table)?.get(column);
      if (row === undefined) continue;
      const family = FAMILIES[type];
      if (family === undefined) throw new Error(`no family for ${type} of ${table}.${column}`);
      declared[column] = row;
      actual[column] = { family, isNullable };
    }
    expect(declared).toEqual(actual);
  });
});

async function readStored(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ table: string; column: string; type: string; nullable: boolean }>(
    `select table_schema || '.' || table_name as table, column_name as column, data_type as type,
       is_nullable = 'YES' as nullable
     from information_schema.columns join information_schema.tables using (table_catalog, table_schema, table_name)
     where table_schema not in ('pg_catalog', 'information_schema', 'public') and table_type = 'BASE TABLE'
       and table_name not like 'schema_migration%'
       and not exists (select from pg_inherits where inhrelid = format('%I.%I', table_schema, table_name)::regclass)`,
  );
  await client.end();
  const stored = new Map<string, Map<string, RowColumn & { readonly type: string }>>();
  for (const { table, column, type, nullable } of rows) {
    const columns = stored.get(table) ?? new Map<string, RowColumn & { readonly type: string }>();
    stored.set(table, columns.set(column, { family: FAMILIES[type] ?? 'json', isNullable: nullable, type }));
  }
  return stored;
}
