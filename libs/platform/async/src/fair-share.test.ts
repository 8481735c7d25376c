import { createFairShare } from './fair-share.ts';

const full = new Error('full');

/** Shares by a clock that moves only while somebody works. */
function open() {
  let at = 0;
  const shares = createFairShare({ share: 0.5, burstMs: 50, maxWaiting: 2, onFull: () => full, now: () => at });
  return {
    shares,
    /** Time goes by without work. */
    pass: (milliseconds: number) => void (at += milliseconds),
    work: (milliseconds: number, name = '') => {
      at += milliseconds;
      return name;
    },
  };
}

describe('a share of the time of a process', () => {
  it('is spent at once while there is some, and waited for after that, in order', async () => {
    const { shares, work } = open();
    const done: string[] = [];
    const begun = performance.now();
    const run = (name: string, milliseconds: number) => shares.run('a', () => done.push(work(milliseconds, name)));
    const all = [run('first', 100), run('second', 20), run('third', 20), run('fourth', 0)];
    // Up to the burst nobody waits, and who is first beyond it still runs.
    expect(done).toEqual(['first', 'second']);
    await Promise.all(all);
    expect(done).toEqual(['first', 'second', 'third', 'fourth']);
    // Half of what they took was earned meanwhile: 10 ms too many are earned in 20, the third's 10 on top of them in 40.
    expect(performance.now() - begun).toBeGreaterThan(50);
  });

  it('comes back with time, and is everybody’s own', async () => {
    const { shares, work, pass } = open();
    await shares.run('a', () => work(110));
    let isServed = false;
    const waiting = shares.run('a', () => (isServed = true));
    expect(await shares.run('b', () => 'at once')).toBe('at once');
    expect(isServed).toBe(false);
    await waiting;
    pass(1000);
    let isAtOnce = false;
    const again = shares.run('a', () => (isAtOnce = true));
    expect(isAtOnce).toBe(true);
    await again;
  });

  it('is spent by work that is done elsewhere, too, once it is told', async () => {
    const { shares } = open();
    expect(await shares.run('a', () => Promise.resolve('there'))).toBe('there');
    shares.charge('a', 110);
    const begun = performance.now();
    expect(await shares.run('b', () => 'at once')).toBe('at once');
    expect(await shares.run('a', () => 'later')).toBe('later');
    expect(performance.now() - begun).toBeGreaterThan(100);
  });

  it('keeps so many waiting and refuses further ones; what fails fails for its caller alone', async () => {
    const { shares, work } = open();
    await shares.run('a', () => work(110));
    const failing = shares.run('a', () => {
      throw new Error('failed');
    });
    const fine = shares.run('a', () => 'fine');
    const further = shares.run('a', () => 'never');
    const outcomes = await Promise.allSettled([failing, fine, further]);
    expect(outcomes).toMatchObject([{ reason: { message: 'failed' } }, { value: 'fine' }, { reason: full }]);
    expect(await shares.run('a', () => 'again')).toBe('again');
  });
});
