import { createFreshReads } from './fresh-reads.ts';

/** Creates reads that end only when the test requests it. */
function useReads() {
  const share = createFreshReads<string>();
  const begun: { name: string; end: (value: string) => void; fail: (error: Error) => void }[] = [];
  const ask = (name = 'a') => share(name, () => new Promise((end, fail) => void begun.push({ name, end, fail })));
  return { begun, ask, settle: () => new Promise((resolve) => setImmediate(resolve)) };
}

describe('a read shared by several callers', () => {
  it('is shared by callers that requested it before it began, and not by later ones', async () => {
    const { begun, ask, settle } = useReads();
    const first = ask();
    const [second, third] = [ask(), ask()];
    expect(begun).toHaveLength(1);
    begun[0]?.end('before');
    expect(await first).toBe('before');
    await settle();
    expect(begun).toHaveLength(2);
    const fourth = ask();
    begun[1]?.end('after');
    expect(await Promise.all([second, third])).toEqual(['after', 'after']);
    await settle();
    begun[2]?.end('last');
    expect(await fourth).toBe('last');
    expect(begun).toHaveLength(3);
  });

  it('fails for its callers if it fails, but the next read is still made', async () => {
    const { begun, ask, settle } = useReads();
    const [first, second] = [ask(), ask()];
    begun[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await settle();
    begun[1]?.end('there');
    expect(await second).toBe('there');
  });

  it('does not wait for a read with another name or for a finished read', async () => {
    const { begun, ask } = useReads();
    const [one, other] = [ask('one'), ask('other')];
    expect(begun.map(({ name }) => name)).toEqual(['one', 'other']);
    begun.forEach(({ end }) => end('read'));
    await Promise.all([one, other]);
    const again = ask('one');
    begun[2]?.end('again');
    expect(await again).toBe('again');
  });
});
