import { createFairShare } from './fair-share.ts';

const full = new Error('full');

/** Creates a fair share whose clock advances only while work runs. */
function open() {
  let at = 0;
  const shares = createFairShare({ share: 0.5, burstMs: 50, maxWaiting: 2, onFull: () => full, now: () => at });
  return {
    shares,
    /** Lets time pass without work. */
    pass: (milliseconds: number) => void (at += milliseconds),
    work: (milliseconds: number, name = '') => {
      at += milliseconds;
      return name;
    },
  };
}

describe('a share of processor time', () => {
  it('is used immediately while available, and then in the order of arrival', async () => {
    const { shares, work } = open();
    const done: string[] = [];
    const begun = performance.now();
    const run = (name: string, milliseconds: number) => shares.run('a', () => done.push(work(milliseconds, name)));
    const all = [run('first', 100), run('second', 20), run('third', 20), run('fourth', 0)];
    // The burst limit is used up before a call waits, and the call that exceeds it still runs.
    expect(done).toEqual(['first', 'second']);
    await Promise.all(all);
    expect(done).toEqual(['first', 'second', 'third', 'fourth']);
    // The waiting time includes two refills at half of the elapsed time: refilling the excess of 10 ms takes 20 ms, and
    // refilling the 10 ms of the third call takes another 20 ms.
    expect(performance.now() - begun).toBeGreaterThan(50);
  });

  it('refills over time, per account', async () => {
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

  it('also covers work that runs elsewhere, as soon as its time is reported', async () => {
    const { shares } = open();
    expect(await shares.run('a', () => Promise.resolve('there'))).toBe('there');
    shares.charge('a', 110);
    const begun = performance.now();
    expect(await shares.run('b', () => 'at once')).toBe('at once');
    expect(await shares.run('a', () => 'later')).toBe('later');
    expect(performance.now() - begun).toBeGreaterThan(100);
  });

  it('limits the amount of waiting work and refuses more; errors affect only their caller', async () => {
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
