/** Returns the SQLSTATE of an error thrown by the driver, or undefined for any other error. */
export function readSqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  // The pattern excludes EPIPE, which also has five characters: no SQLSTATE class begins with E.
  return typeof code === 'string' && /^(?!E)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Returns true for a violated unique constraint; if `constraint` is given, only for that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (readSqlState(error) !== '23505') return false;
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint;
}

/** Returns true if the statement exceeded its `statement_timeout` or was cancelled. */
export function isStatementCancelled(error: unknown): boolean {
  return readSqlState(error) === '57014';
}

/**
 * Returns true if the server has reported the error and rolled the transaction back. After any other error, such as a
 * lost connection or a crash of the server, the transaction may have been committed.
 */
export function isRolledBack(error: unknown): boolean {
  const state = readSqlState(error);
  return state !== undefined && !state.startsWith('08') && !state.startsWith('57P');
}

const TRANSIENT = new Set([
  ...['40001', '40P01', '53300', '55P03', '57P01', '57P02', '57P03'],
  // A server without disk space or memory, or with a failing disk, works again once this has been fixed.
  ...['53100', '53200', '58030'],
  // During a failover, the address may still lead to a standby.
  '25006',
]);
const LOST_CONNECTION =
  /terminat|timeout expired|timeout exceeded when trying to connect|Query read timeout|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|not queryable|Client has encountered/i;

/**
 * Returns true if the same work may succeed later: the database is unreachable, overloaded, out of resources or failing
 * over, or has aborted this transaction because of a conflict with another one, such as a deadlock.
 */
export function isTransientDatabaseError(error: unknown): boolean {
  const state = readSqlState(error);
  if (state !== undefined) return TRANSIENT.has(state) || state.startsWith('08');
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isTransientDatabaseError);
  const code = (error as { code?: unknown }).code;
  return LOST_CONNECTION.test(typeof code === 'string' ? `${code} ${error.message}` : error.message);
}
