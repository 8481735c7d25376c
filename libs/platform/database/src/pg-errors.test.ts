import {
  isRolledBack,
  isStatementCancelled,
  isTransientDatabaseError,
  isUniqueViolation,
  readSqlState,
} from './pg-errors.ts';

const pgError = (code: string, more: object = {}): Error => Object.assign(new Error('refused'), { code, ...more });
const nodeError = (code: string, message = `connect ${code} 127.0.0.1:5432`): Error =>
  Object.assign(new Error(message), { code });

describe('the classification of a driver’s error', () => {
  it.each([
    ['a lost connection', pgError('08006')],
    ['a refused one', pgError('08001')],
    ['a shutdown of the server', pgError('57P01')],
    ['a crash of the server', pgError('57P02')],
    ['a server that starts', pgError('57P03')],
    ['too many connections', pgError('53300')],
    ['a deadlock', pgError('40P01')],
    ['a serialization failure', pgError('40001')],
    ['a lock that is not free', pgError('55P03')],
    ['a full disk', pgError('53100')],
    ['a server without memory', pgError('53200')],
    ['a disk that fails', pgError('58030')],
    ['a server that is a standby for now', pgError('25006')],
    ['no listener', nodeError('ECONNREFUSED')],
    ['a reset', nodeError('ECONNRESET')],
    ['a pipe that broke', nodeError('EPIPE', 'write EPIPE')],
    ['a machine that does not respond', nodeError('ETIMEDOUT')],
    ['a machine that cannot be reached', nodeError('EHOSTUNREACH')],
    ['a network that cannot be reached', nodeError('ENETUNREACH')],
    ['a connection that was aborted', nodeError('ECONNABORTED', 'read ECONNABORTED')],
    ['a name that is not known at the moment', nodeError('ENOTFOUND', 'getaddrinfo ENOTFOUND postgres')],
    ['a name server that does not respond', nodeError('EAI_AGAIN', 'getaddrinfo EAI_AGAIN postgres')],
    ['an ended connection', new Error('Connection terminated unexpectedly')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a connection that is not made in time', new Error('timeout expired')],
    ['a client that is spent', new Error('Client has encountered a connection error and is not queryable')],
    ['several addresses, all of them away', new AggregateError([nodeError('ECONNREFUSED'), nodeError('ECONNREFUSED')])],
  ])('%s can be retried (ERR-5)', (_what, error) => {
    expect(isTransientDatabaseError(error)).toBe(true);
  });

  it.each([
    ['a violated constraint', pgError('23505')],
    ['a missing column', pgError('42703')],
    ['a value out of range', pgError('22003')],
    ['a missing right', pgError('42501')],
    ['a bug', new TypeError('x is not a function')],
    ['nothing at all', undefined],
    ['a text', 'ECONNREFUSED'],
    ['several errors, none of them of the network', new AggregateError([new Error('a'), new Error('b')])],
  ])('%s is permanent', (_what, error) => {
    expect(isTransientDatabaseError(error)).toBe(false);
  });

  it('a cancelled statement is recognized, and is not an outage', () => {
    expect(isStatementCancelled(pgError('57014'))).toBe(true);
    expect(isTransientDatabaseError(pgError('57014'))).toBe(false);
    expect(isStatementCancelled(pgError('57P01'))).toBe(false);
  });

  it('a violated unique constraint is reported by its name', () => {
    const taken = pgError('23505', { constraint: 'flow_account_id_name_key' });
    expect(isUniqueViolation(taken)).toBe(true);
    expect(isUniqueViolation(taken, 'flow_account_id_name_key')).toBe(true);
    expect(isUniqueViolation(taken, 'another_key')).toBe(false);
    expect(isUniqueViolation(pgError('23503', { constraint: 'flow_account_id_name_key' }))).toBe(false);
  });

  it('a code of five characters is an SQLSTATE, but a system error code is not', () => {
    expect(readSqlState(pgError('23505'))).toBe('23505');
    expect(readSqlState(pgError('40P01'))).toBe('40P01');
    expect(readSqlState(nodeError('EPIPE'))).toBeUndefined();
    expect(readSqlState(nodeError('ECONNRESET'))).toBeUndefined();
    expect(readSqlState(pgError(23505 as unknown as string))).toBeUndefined();
    expect(readSqlState(null)).toBeUndefined();
    expect(readSqlState('23505')).toBeUndefined();
  });
});

describe('a transaction', () => {
  it.each(['40P01', '40001', '55P03', '57014', '23505', '22003', '53300'])('is rolled back after %s', (code) =>
    expect(isRolledBack(pgError(code))).toBe(true),
  );

  it.each([
    pgError('08006'),
    pgError('57P01'),
    pgError('57P02'),
    nodeError('ECONNRESET'),
    new Error('Connection terminated unexpectedly'),
    undefined,
  ])('may be committed after %s', (error) => expect(isRolledBack(error)).toBe(false));
});
