import fc from 'fast-check';
import { createGatheredReads, type GatheredReadsOptions } from './gathered-reads.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Creates reads that end when the test requests it. */
function useReads(options: Partial<GatheredReadsOptions<string, string>> = {}) {
  const begun: { keys: readonly string[]; end: (prefix: string) => void; fail: (error: Error) => void }[] = [];
  const read = (keys: readonly string[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      begun.push({ keys, end: (prefix) => resolve(keys.map((key) => prefix + key)), fail: reject });
    });
  const ask = createGatheredReads({ read, maxKeys: 100, maxReads: 1, enoughCallers: 100, slowMs: 60_000, ...options });
  return { begun, ask: (name: string) => ask(name, name) };
}

describe('batched reads', () => {
  it('serve all callers of the same tick with one read, once for each name', async () => {
    const { begun, ask } = useReads();
    const asked = [ask('a'), ask('b'), ask('a')];
    await nextTurn();
    expect(begun.map(({ keys }) => keys)).toEqual([['a', 'b']]);
    begun[0]?.end('1');
    expect(await Promise.all(asked)).toEqual(['1a', '1b', '1a']);
  });

  it('return nothing that was read before it was requested', async () => {
    const { begun, ask } = useReads();
    const before = ask('a');
    await nextTurn();
    const after = [ask('a'), ask('b')];
    await nextTurn();
    expect(begun).toHaveLength(1);
    begun[0]?.end('old');
    expect(await before).toBe('olda');
    await nextTurn();
    begun[1]?.end('new');
    expect(await Promise.all(after)).toEqual(['newa', 'newb']);
  });

  it('fail for their callers if they fail, but the next read is still made', async () => {
    const { begun, ask } = useReads();
    const asked = [ask('a'), ask('b')];
    await nextTurn();
    const next = ask('a');
    begun[0]?.fail(new Error('away'));
    expect(await Promise.allSettled(asked)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    await nextTurn();
    begun[1]?.end('');
    expect(await next).toBe('a');
  });

  it('contain at most a given number of names; the remaining names are read next', async () => {
    const { begun, ask } = useReads({ maxKeys: 2, maxReads: 2 });
    const asked = ['a', 'b', 'c'].map(ask);
    await nextTurn();
    await nextTurn();
    expect(begun.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c']]);
    for (const { end } of begun) end('');
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
  });

  it('begin immediately when enough callers wait, for one name or many, up to the maximum number of concurrent reads', async () => {
    const { begun, ask } = useReads({ maxReads: 2, enoughCallers: 2 });
    const asked = ['a', 'a', 'b', 'c', 'd', 'e', 'f'].map(ask);
    expect(begun.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']]);
    await nextTurn();
    expect(begun).toHaveLength(2);
    begun[0]?.end('');
    await nextTurn();
    expect(begun.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c'], ['d', 'e', 'f']]);
    for (const { end } of begun) end('');
    expect(await Promise.all(asked)).toEqual(['a', 'a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('are not delayed by a slow read', async () => {
    const { begun, ask } = useReads({ slowMs: 1 });
    const stuck = ask('a');
    await nextTurn();
    const next = ask('b');
    while (begun.length < 2) await nextTurn();
    begun[1]?.end('');
    expect(await next).toBe('b');
    begun[0]?.end('');
    expect(await stuck).toBe('a');
  });

  it('are not delayed by one late result', async () => {
    const late = Promise.withResolvers<string>();
    const ask = createGatheredReads<string, string>({
      read: (keys) => Promise.resolve(keys.map((key) => (key === 'late' ? late.promise : key))),
      ...{ maxKeys: 10, maxReads: 1, enoughCallers: 10, slowMs: 60_000 },
    });
    const waiting = ask('late', 'late');
    expect(await ask('soon', 'soon')).toBe('soon');
    late.resolve('at last');
    expect(await waiting).toBe('at last');
  });

  it('are never older than their request, in any order of requests, changes and results', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('ask' as const), name: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ kind: fc.constantFrom('change', 'end', 'turn') }),
    );
    const limit = fc.integer({ min: 1, max: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), limit, limit, async (steps, maxReads, enoughCallers) => {
        let version = 0;
        const ends: (() => void)[] = [];
        const read = (keys: readonly string[]): Promise<number[]> => {
          const seen = keys.map(() => version);
          return new Promise((resolve) => ends.push(() => resolve(seen)));
        };
        const ask = createGatheredReads({ read, maxKeys: 2, maxReads, enoughCallers, slowMs: 60_000 });
        const asked: { readonly least: number; readonly answer: Promise<number> }[] = [];
        for (const one of steps) {
          if ('name' in one) asked.push({ least: version, answer: ask(one.name, one.name) });
          else if (one.kind === 'change') version += 1;
          else if (one.kind === 'end') ends.shift()?.();
          else await nextTurn();
        }
        const all = Promise.all(asked.map(async ({ least, answer }) => (await answer) >= least));
        let isOver = false;
        void all.then(() => (isOver = true));
        while (!isOver) {
          ends.shift()?.();
          await nextTurn();
        }
        expect(await all).not.toContain(false);
      }),
    );
  });
});
