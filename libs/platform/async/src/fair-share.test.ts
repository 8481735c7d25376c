import { createFairShare } from './fair-share.ts';

const full = new Error('full');
const options = { share: 0.25, burstMs: 50, maxWaiting: 2, onFull: () => full };

/** Keeps the process busy, as a condition does. */
function work(milliseconds: number): number {
  const begun = performance.now();
  while (performance.now() - begun < milliseconds);
  return begun;
}

describe('a share of the time of a process', () => {
  it('is spent at once while there is some, and waited for after that, in order', async () => {
    const shares = createFairShare(options);
    const begun = performance.now();
    const first = await shares.run('a', () => work(70));
    expect(first - begun).toBeLessThan(50);
    const done: string[] = [];
    const [second, third] = await Promise.all([
      shares.run('a', () => work(20)).finally(() => done.push('second')),
      shares.run('a', () => work(0)).finally(() => done.push('third')),
    ]);
    expect(done).toEqual(['second', 'third']);
    // 20 ms too many are earned again in 80; what the second spent, in as many once more.
    expect(second - first).toBeGreaterThanOrEqual(70 + 79);
    expect(third - second).toBeGreaterThanOrEqual(20 + 79);
  });

  it('is everybody’s own', async () => {
    const shares = createFairShare(options);
    await shares.run('a', () => work(100));
    const waiting = shares.run('a', () => 'a');
    const seen: string[] = [];
    await Promise.all([
      waiting.then((name) => seen.push(name)),
      shares.run('b', () => 'b').then((name) => seen.push(name)),
    ]);
    expect(seen).toEqual(['b', 'a']);
  });

  it('keeps so many waiting and refuses further ones; what fails fails for its caller alone', async () => {
    const shares = createFairShare(options);
    await shares.run('a', () => work(60));
    const failing = shares.run('a', () => {
      throw new Error('failed');
    });
    const fine = shares.run('a', () => 'fine');
    await expect(shares.run('a', () => 'never')).rejects.toBe(full);
    await expect(failing).rejects.toThrow('failed');
    expect(await fine).toBe('fine');
    expect(await shares.run('a', () => 'again')).toBe('again');
  });
});
