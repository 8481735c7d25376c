import { CompiledQuery, PostgresDialect, PostgresDriver, type TransactionSettings } from 'kysely';
import pg from 'pg';
import { toParameter } from './to-parameter.ts';

/** A statement that is sent together with the next one. */
export interface DeferredStatement extends pg.QueryConfig {
  readonly isDeferred: true;
}

const BEGIN: DeferredStatement = { text: 'begin', isDeferred: true };

/**
 * Members of the driver's query that the driver's types omit; the connection calls the `handle…` methods with the
 * messages of the server.
 */
interface DriverQuery {
  name: string | undefined;
  text: string;
  callback: (error: Error | null, result: unknown) => void;
  submit(connection: DriverConnection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: DriverConnection): void;
  handleError(error: Error, connection: DriverConnection): void;
  handleReadyForQuery(connection: DriverConnection): void;
}

interface DriverConnection {
  readonly stream: { cork(): void; uncork(): void; destroy(error: Error): void };
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  bind(message: BindMessage): void;
  sync(): void;
}

/** Message that binds the values of a statement. */
interface BindMessage {
  readonly valueMapper: (value: unknown) => unknown;
}

const DriverQuery = pg.Query as unknown as new (statement: object, values?: unknown) => DriverQuery;

/**
 * A connection that sends `begin`, and statements whose result nobody needs, in one packet with the next statement:
 * each packet wakes up the client and the server, which takes longer than a small statement. The server skips the rest
 * of the packet if one of its statements fails, and the connection is closed if `begin` itself fails, so no statement
 * is executed outside of its transaction. A transaction without statements is not sent at all.
 */
export class DeferringClient extends pg.Client {
  #deferred: DeferredStatement[] = [];

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    convertValues((this as unknown as { readonly connection: DriverConnection }).connection);
  }

  // The overloads of the driver's method cannot be declared again, so the arguments are passed on unchanged.
  override query(...given: unknown[]): never {
    return this.#query(given) as never;
  }

  #query(given: unknown[]): unknown {
    const [statement, values] = given;
    const send = super.query.bind(this) as (...args: unknown[]) => unknown;
    if (isDeferred(statement) && (statement === BEGIN || this.#isInTransaction())) {
      this.#deferred.push({ ...statement, values: values as unknown[] });
      return Promise.resolve({ command: '', rowCount: 0, rows: [] });
    }
    if (this.#deferred.length === 0) return send(...given);
    const before = this.#deferred;
    this.#deferred = [];
    const isUnsent = before[0]?.text === BEGIN.text;
    if (statement === 'rollback' && isUnsent) return answer('ROLLBACK');
    if (statement === 'rollback') return send(...given);
    if (statement === 'commit' && isUnsent && before.length === 1) return answer('COMMIT');
    const [last] = before.splice(-1);
    const together = typeof given.at(-1) !== 'function' && mayShare(statement, values);
    if (together) return sendTogether(send, [...before, last as DeferredStatement], toConfig(statement, values));
    // The deferred statements and this statement are queued at once, so that a rollback that the caller sends meanwhile
    // cannot precede this statement.
    const first = sendTogether(send, before, last as DeferredStatement);
    const result = send(...given);
    if (result instanceof Promise) return Promise.all([first, result]).then(([, own]: unknown[]) => own);
    first.catch(() => undefined);
    return result;
  }

  #isInTransaction(): boolean {
    return this.#deferred.length > 0 || this.getTransactionStatus() === 'T';
  }
}

/** Makes a connection convert most values itself, and leave only the others to the driver. */
function convertValues(connection: DriverConnection): void {
  const bind = connection.bind.bind(connection);
  connection.bind = (message) => {
    const { valueMapper } = message;
    bind({ ...message, valueMapper: (value) => toParameter(value) ?? valueMapper(value) });
  };
}

function isDeferred(statement: unknown): statement is DeferredStatement {
  return typeof statement === 'object' && statement !== null && 'isDeferred' in statement;
}

function answer(command: string): Promise<unknown> {
  return Promise.resolve({ command, rowCount: 0, rows: [] });
}

/**
 * Returns whether a statement can be sent with others. A string without values is not sent with others, except for
 * `commit`, since it may contain several statements.
 */
function mayShare(statement: unknown, values: unknown): boolean {
  if (statement === 'commit') return true;
  if (typeof statement === 'string') return Array.isArray(values) && values.length > 0;
  return typeof statement === 'object' && statement !== null && !('submit' in statement);
}

function toConfig(statement: unknown, values: unknown): pg.QueryConfig {
  const config = typeof statement === 'string' ? { text: statement } : (statement as pg.QueryConfig);
  return Array.isArray(values) ? { ...config, values } : config;
}

function sendTogether(
  send: (query: DriverQuery) => unknown,
  before: readonly pg.QueryConfig[],
  statement: pg.QueryConfig,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const query = new QueryAfterOthers(before, statement);
    query.callback = (error, result) => (error === null ? resolve(result) : reject(error));
    send(query);
  }).catch((error: unknown) => {
    // The stack trace of the driver begins where the driver reads from the socket, so a new one is captured.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  });
}

/** A query that sends several statements in one packet, and returns only the result of the last one. */
class QueryAfterOthers extends DriverQuery {
  /** Statements before this one; public, so that tests see every statement that is sent. */
  readonly before: readonly DriverQuery[];
  readonly #own: Pick<DriverQuery, 'name' | 'text'>;
  #completed = 0;
  #isSubmitted = false;
  /** A statement before this one whose values the driver could not send. */
  #refused: { readonly name: string | undefined; readonly error: Error | null } | undefined;

  constructor(before: readonly pg.QueryConfig[], statement: pg.QueryConfig) {
    super({ ...statement, queryMode: 'extended' });
    this.before = before.map((one) => new DriverQuery({ ...one, queryMode: 'extended' }));
    this.#own = { name: this.name, text: this.text };
  }

  override submit(connection: DriverConnection): null {
    connection.stream.cork();
    try {
      const error = this.#submitAll(connection);
      if (error === null) return null;
      // The sync message makes the server respond to the statements sent so far, so that the connection remains usable.
      connection.sync();
      this.handleError(error, connection);
      return null;
    } finally {
      connection.stream.uncork();
      this.#describeCurrent();
      this.#isSubmitted = true;
    }
  }

  #submitAll(connection: DriverConnection): Error | null {
    // The server executes all statements before a sync message in one implicit transaction.
    const unsynced = Object.create(connection, { sync: { value: () => undefined } }) as DriverConnection;
    for (const query of this.before) {
      query.callback = (error) => void (this.#refused = { name: query.name, error });
      const error = query.submit(unsynced) ?? this.#refused?.error ?? null;
      if (error !== null) return error;
    }
    return super.submit(connection);
  }

  override handleRowDescription(message: unknown): void {
    if (this.#isOwnTurn) super.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isOwnTurn) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: DriverConnection): void {
    if (this.#isOwnTurn) return super.handleCommandComplete(message, connection);
    this.#completed += 1;
    this.#describeCurrent();
  }

  override handleError(error: Error, connection: DriverConnection): void {
    // The server has parsed none of the statements that it skips.
    for (const { name } of [...this.before.slice(this.#completed), this.#own])
      if (name !== undefined) connection.submittedNamedStatements[name] = undefined;
    // If the transaction has not begun, the statements that wait for the connection would be committed one by one, so
    // the connection is closed.
    const [first = this.#own] = this.before;
    if (this.#isSubmitted && this.#completed === 0 && first.text === BEGIN.text) connection.stream.destroy(error);
    super.handleError(error, connection);
  }

  override handleReadyForQuery(connection: DriverConnection): void {
    // The driver closes a statement whose values it cannot send, but marks it as parsed.
    const name = this.#refused?.name;
    if (name !== undefined) connection.parsedStatements[name] = undefined;
    super.handleReadyForQuery(connection);
  }

  get #isOwnTurn(): boolean {
    return this.#completed === this.before.length;
  }

  /** Sets the name that the driver marks as parsed when the server says that it has parsed a statement. */
  #describeCurrent(): void {
    const { name, text } = this.before[this.#completed] ?? this.#own;
    this.name = name;
    this.text = text;
  }
}

/** The dialect of connections that defer the beginning of a transaction. */
export class DeferringDialect extends PostgresDialect {
  readonly #pool: pg.Pool;

  constructor({ pool }: { readonly pool: pg.Pool }) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new DeferringDriver({ pool: this.#pool });
  }
}

class DeferringDriver extends PostgresDriver {
  override async beginTransaction(
    connection: Parameters<PostgresDriver['beginTransaction']>[0],
    settings: TransactionSettings,
  ): Promise<void> {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined)
      return super.beginTransaction(connection, settings);
    // The builder passes `sql` to the driver unchanged, and the driver also accepts an object.
    await connection.executeQuery({ ...CompiledQuery.raw(''), sql: BEGIN as unknown as string });
  }

  /**
   * Rolls back. An error of the rollback is ignored: if the connection was lost, the server rolls back by itself, and
   * the error of the failed statement is more informative.
   */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    // The driver closes a connection whose rollback has failed.
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}
