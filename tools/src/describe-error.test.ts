import { describeError } from './describe-error.ts';

describe('the description of an error', () => {
  it('contains what failed and why', () => {
    const cause = new Error('corrupted migrations: previously executed migration 0009_x is missing');
    const error = new Error('migration gateway/(set-up) failed', { cause });
    expect(describeError(error)).toBe(`${error.message}: ${cause.message}`);
  });

  it('contains all available information if there is no cause', () => {
    expect(describeError(new Error('no room'))).toBe('no room');
    expect(describeError('thrown as text')).toBe('thrown as text');
  });
});
