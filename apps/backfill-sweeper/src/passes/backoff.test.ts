import { createBackoff } from './backoff.ts';

/** Returns the numbers of the passes that process an account that always fails. */
function failFor(passes: number): number[] {
  const backoff = createBackoff();
  return Array.from({ length: passes }, (_, pass) => pass).filter(() => {
    const [id] = backoff.admit(['bad']);
    if (id !== undefined) backoff.fail(id);
    return id !== undefined;
  });
}

describe('a failing account (CORP-18)', () => {
  it('skips 1, 2, 4, ... passes, up to 64', () => {
    expect(failFor(270)).toEqual([0, 2, 5, 10, 19, 36, 69, 134, 199, 264]);
  });

  it('does not delay other accounts', () => {
    const backoff = createBackoff();
    expect(backoff.admit(['bad', 'good'])).toEqual(['bad', 'good']);
    backoff.fail('bad');
    expect(backoff.admit(['bad', 'good'])).toEqual(['good']);
    expect(backoff.admit(['bad', 'good'])).toEqual(['bad', 'good']);
  });

  it('starts over after a success, and when it has nothing left to do', () => {
    for (const ends of [
      (backoff: ReturnType<typeof createBackoff>) => backoff.succeed('bad'),
      (backoff: ReturnType<typeof createBackoff>) => backoff.admit([]),
    ]) {
      const backoff = createBackoff();
      backoff.fail('bad');
      backoff.fail('bad');
      ends(backoff);
      expect(backoff.admit(['bad'])).toEqual(['bad']);
    }
  });
});
