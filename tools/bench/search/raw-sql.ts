import pg from 'pg';
import { createDatabase, prepared as prepare } from '@steward/database';
import { newId } from '@steward/crypto';
import { createLogger } from '@steward/process';
import { readCoverage } from '@steward/backfill';
import { recordAudit } from '@steward/audit';
import { findRuntimeSessionsByIdentifier, readSessionHeadings } from '@steward/sessions';
import { createSearchKeywords, SEARCH_SESSION_SETTINGS } from '@steward/search';

interface Statement {
  /** Name of a prepared statement. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: unknown[];
}

export interface RawTimes {
  /** Milliseconds if sent with plain `client.query(text, values)`: parsed and planned each time. */
  readonly plain: number;
  /** Milliseconds if sent as by the service: prepared, with the settings of its connections. */
  readonly prepared: number;
}

export interface RawSql {
  /**
   * Returns the milliseconds of the statements of one search, each run once through pg on one connection: any service
   * has to do at least this work.
   */
  replay(query: string, filters?: { start_date?: string; end_date?: string }): Promise<RawTimes>;
  close(): Promise<void>;
}

/** Builds the audit row that every search writes. */
const AUDIT_ROW = (accountId: string) => ({
  accountId,
  actor: { kind: 'user' as const, id: accountId },
  source: 'console' as const,
  action: 'query',
  resourceType: 'session_search' as const,
  resourceId: null,
  status: 'success' as const,
  details: { query_chars: 10 },
});

/** Returns a statement that can be repeated: the insert of the audit row gets a new id. */
function renewIds(statement: Statement): Statement {
  if (!statement.text.includes('insert into gateway.audit_log')) return statement;
  const rows = JSON.parse(String(statement.values[0])) as object[];
  return { ...statement, values: [JSON.stringify(rows.map((row) => ({ ...row, id: newId() })))] };
}

/** Records the statements of a search by running it once, then measures them without the service. */
export async function openRawSql(databaseUrl: string, accountId: string): Promise<RawSql> {
  const logger = createLogger({ service: 'bench', level: 'error', pretty: false });
  const recorded = createDatabase({ url: databaseUrl, applicationName: 'bench-recorder', poolSize: 4, logger });
  let statements: Statement[] = [];
  recorded.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    (client as { query: unknown }).query = (...args: unknown[]) => {
      const [first, values] = args as [string | pg.QueryConfig, unknown[] | undefined];
      const { name, text, values: own = [] } = typeof first === 'string' ? { name: undefined, text: first } : first;
      if (!text.startsWith('set ')) statements.push({ name, text, values: values ?? own });
      return query(...args);
    };
  });
  const plain = new pg.Client({ connectionString: databaseUrl });
  const prepared = new pg.Client({ connectionString: databaseUrl });
  const { work_mem: workMem, jit, ...kept } = SEARCH_SESSION_SETTINGS;
  await openSession(plain, { work_mem: workMem, jit });
  await openSession(prepared, { work_mem: workMem, jit, ...kept });
  const time = async (client: pg.Client, own: readonly Statement[]): Promise<number> => {
    const startedAt = performance.now();
    for (const { name, text, values } of own.map(renewIds)) {
      if (client === prepared && name !== undefined) await client.query(prepare(name, text, values));
      else await client.query(text, values);
    }
    return performance.now() - startedAt;
  };
  const searchKeywords = createSearchKeywords({ work: recorded.pool, cancel: recorded.pool });
  return {
    async replay(query, filters) {
      statements = [];
      const range = {
        startDate: filters?.start_date === undefined ? undefined : new Date(filters.start_date),
        endDate: filters?.end_date === undefined ? undefined : new Date(filters.end_date),
      };
      const page = await searchKeywords(
        {
          accountId,
          query,
          strictness: 'strict',
          filter: range,
          limit: 20,
          offset: 0,
          maxSnippetsPerSession: 3,
          includeSnippetText: true,
        },
        { timeoutMs: 60_000, signal: new AbortController().signal },
      );
      const sessionIds = page.sessions.slice(0, 20).map((session) => session.sessionId);
      await readSessionHeadings(recorded.db, { accountId, sessionIds });
      await readCoverage(recorded.db, accountId, range);
      await findRuntimeSessionsByIdentifier(recorded.db, { accountId, text: query, limit: 5 });
      await recordAudit(recorded.db, AUDIT_ROW(accountId));
      const own = statements;
      return { plain: await time(plain, own), prepared: await time(prepared, own) };
    },
    async close() {
      await plain.end();
      await prepared.end();
      await recorded.close();
    },
  };
}

async function openSession(client: pg.Client, settings: Readonly<Record<string, string>>): Promise<void> {
  await client.connect();
  for (const [name, value] of Object.entries(settings))
    await client.query('select set_config($1, $2, false)', [name, value]);
}
