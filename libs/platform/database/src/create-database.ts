import { Kysely } from 'kysely';
import pg from 'pg';
import { maskUrl, StartupError, type Logger } from '@steward/process';
import { isTracing } from '@steward/telemetry';
import { DeferringClient, DeferringDialect } from './deferring-client.ts';
import { TracedClient } from './traced-client.ts';
import { OtherServerError } from './replica/same-server.ts';
import { withoutNames } from './without-names.ts';
import type { AnyDatabase } from './transact.ts';
import { typeParsers } from './type-parsers.ts';

export interface DatabaseOptions {
  readonly url: string;
  /**
   * Name of the application in `pg_stat_activity.application_name`, so that an operator can see which process holds a
   * lock.
   */
  readonly applicationName: string;
  readonly poolSize: number;
  readonly logger: Logger;
  /** Session settings of each connection of this pool, such as `work_mem`. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
  /** Checks each new connection before its first use; a connection for which it throws is closed. */
  readonly admit?: ((client: pg.ClientBase) => Promise<void>) | undefined;
  /** Time in milliseconds to wait for a free connection; default: the time limit for requests. */
  readonly checkoutTimeoutMs?: number;
  /**
   * False behind a pooler that may use a different session for each transaction; statements are then sent without
   * names.
   */
  readonly namedStatements?: boolean;
}

/** A connection pool with the query builder. Use `pool` for hot paths and for SQL that the builder cannot express. */
export interface Database {
  /**
   * Query builder without table types; the operations of each context add the types of their tables. Apps only pass the
   * builder on, and contain no SQL.
   */
  readonly db: AnyDatabase;
  readonly pool: pg.Pool;
  /** Connects to the server; rejects with a one-line message if it cannot be reached. */
  connect(): Promise<void>;
  checkHealth(): Promise<void>;
  close(): Promise<void>;
}

/** Time in milliseconds that a request waits for a free connection before it is rejected with 503. */
const CHECKOUT_TIMEOUT_MS = 5000;
const CONNECT_TIMEOUT_MS = 10_000;

export function createDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolSize,
    connectionTimeoutMillis: options.checkoutTimeoutMs ?? CHECKOUT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: typeParsers,
    Client: chooseClient(options),
    ...prepareConnections(options),
  });
  // Without this listener, the loss of an idle connection (for example on a database restart) would terminate the
  // process.
  pool.on('error', (error) => {
    if (error instanceof OtherServerError) return;
    options.logger.warn('database.idle_connection_lost', { error: error.message });
  });
  // The loss of a connection in use makes its query fail. This listener is needed nevertheless: without it, a database
  // restart during a transaction would terminate the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db: AnyDatabase = new Kysely({ dialect: new DeferringDialect({ pool }) });
  return {
    db,
    pool,
    connect: () => reachDatabase(options.url, 'DATABASE_URL'),
    async checkHealth() {
      await pool.query('select 1');
    },
    async close() {
      await db.destroy();
      // The pool is closed here because the builder does not close a pool that it has never used.
      if (!pool.ending) await pool.end();
    },
  };
}

function chooseClient({ namedStatements = true }: DatabaseOptions): typeof pg.Client {
  const Base = isTracing() ? TracedClient : DeferringClient;
  return namedStatements ? Base : withoutNames(Base);
}

/**
 * Returns the pool option with a function that checks each new connection and applies the session settings. The pool
 * waits for the promise of this function before it hands out the connection, although the types of the pool do not show
 * this.
 */
function prepareConnections({ admit, sessionSettings = {} }: DatabaseOptions): Pick<pg.PoolConfig, 'onConnect'> {
  const statement = Object.entries(sessionSettings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');
  if (admit === undefined && statement === '') return {};
  const onConnect: unknown = async (client: pg.ClientBase): Promise<void> => {
    await admit?.(client);
    if (statement !== '') await client.query(statement);
  };
  return { onConnect } as Pick<pg.PoolConfig, 'onConnect'>;
}

/**
 * Connects once.
 * @throws StartupError that names the variable, if the server cannot be reached
 */
export async function reachDatabase(url: string, variable: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    const reason =
      error instanceof Error && error.message !== '' ? error.message : String((error as { code?: string }).code);
    throw new StartupError(`the database of ${variable} (${maskUrl(url)}) cannot be reached: ${reason}`, {
      cause: error,
    });
  } finally {
    // The end is not awaited: if the server rejected the certificate, the driver may never report that the connection
    // has ended.
    void client.end().catch(() => undefined);
  }
}
