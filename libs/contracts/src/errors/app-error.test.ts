import { AppError } from './app-error.ts';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

describe('AppError', () => {
  it('has the status and the message of its code, or the given message', () => {
    expect(new AppError('not_found')).toMatchObject({ status: 404, message: 'There is no such resource.', detail: {} });
    expect(new AppError('conflict', { message: 'Taken.', detail: { field: 'name' } })).toMatchObject({
      status: 409,
      message: 'Taken.',
      detail: { field: 'name' },
    });
  });

  it('keeps its cause, if any', () => {
    const cause = new Error('no');
    expect(new AppError('unavailable', { cause }).cause).toBe(cause);
    expect('cause' in new AppError('unavailable')).toBe(false);
  });

  it.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s is an error code that routes can return (ERR-1)', (code) => {
    const error = new AppError(code);
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.code, error.status]).toEqual(['AppError', code, ERROR_CODES[code].status]);
    expect(error.message).toBe(ERROR_CODES[code].message);
  });

  it('has separate details for the client and the log (ERR-4)', () => {
    const error = new AppError('unavailable', { internal: { host: 'db-1' }, retryAfterSeconds: 5 });
    expect([error.internal, error.retryAfterSeconds, error.detail]).toEqual([{ host: 'db-1' }, 5, {}]);
  });
});
