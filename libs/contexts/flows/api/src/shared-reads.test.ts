import { createSharedReads } from './shared-reads.ts';

describe('a read that many clients wait for', () => {
  it('is made once per round for all clients, and again in the next round', async () => {
    const reads = createSharedReads(1);
    let count = 0;
    const read = (): Promise<number> => Promise.resolve((count += 1));
    const wait = () => reads.readNext('a', read);
    expect(await Promise.all(Array.from({ length: 100 }, wait))).toEqual(Array.from({ length: 100 }, () => 1));
    expect(await Promise.all([wait(), wait(), reads.readNext('b', () => Promise.resolve('other'))])).toEqual([
      2,
      2,
      'other',
    ]);
  });

  it('never begins before its request: a running read is not used for a later request', async () => {
    const reads = createSharedReads(1);
    let finish: (value: string) => void = () => undefined;
    let started: () => void = () => undefined;
    const hasStarted = new Promise<void>((resolve) => (started = resolve));
    const early = reads.readNext('a', () => {
      started();
      return new Promise<string>((resolve) => (finish = resolve));
    });
    await hasStarted;
    const late = reads.readNext('a', () => Promise.resolve('after'));
    finish('before');
    expect(await Promise.all([early, late])).toEqual(['before', 'after']);
  });

  it('is shared while it runs; a failure is shared, but not cached', async () => {
    const reads = createSharedReads(1);
    const failing = () => Promise.reject(new Error('away'));
    const outcomes = await Promise.allSettled([reads.readNow('a', failing), reads.readNow('a', failing)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await reads.readNow('a', () => Promise.resolve('back'))).toBe('back');
  });
});
