import { describeError } from './describe-error.ts';

describe('a command that fails', () => {
  it('reports what failed and why', () => {
    const cause = new Error('corrupted migrations: previously executed migration 0009_x is missing');
    const error = new Error('migration gateway/(set-up) failed', { cause });
    expect(describeError(error)).toBe(`${error.message}: ${cause.message}`);
  });

  it('reports all available information if there is no cause', () => {
    expect(describeError(new Error('no room'))).toBe('no room');
    expect(describeError('thrown as text')).toBe('thrown as text');
  });
});
