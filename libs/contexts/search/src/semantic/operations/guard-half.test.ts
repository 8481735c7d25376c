import { guardHalf, type GuardedCall } from './guard-half.ts';

const logged: string[] = [];
const write = (message: string): void => void logged.push(message);
const logger = { debug: write, info: write, warn: write, error: write } as never;
beforeEach(() => void (logged.length = 0));

const guard = (error: Error, more: Partial<GuardedCall> = {}) => {
  const call = { accountId: 'a', requestId: 'r', signal: new AbortController().signal, timeoutMs: 60_000, ...more };
  return guardHalf(logger, call, () => Promise.reject(error));
};

describe('a part of the semantic half that fails', () => {
  it('is omitted from the response, and logged', async () => {
    expect(await guard(new Error('gone'))).toBeUndefined();
    expect(logged).toEqual(['search.semantic_failed']);
  });

  it('fails the search if another server may be able to answer it', async () => {
    const conflict = Object.assign(new Error('conflict with recovery'), { code: '40001' });
    await expect(guard(conflict, { mayMiss: (error) => error !== conflict })).rejects.toBe(conflict);
    expect(logged).toEqual([]);
  });

  it('fails with the abort reason if the client disconnected', async () => {
    const left = new Error('left');
    await expect(guard(new Error('gone'), { signal: AbortSignal.abort(left) })).rejects.toBe(left);
  });
});
