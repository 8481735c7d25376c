import { getEventListeners } from 'node:events';
import { untilAborted } from './until-aborted.ts';

const never = new Promise<never>(() => undefined);

describe('work that is waited for until a signal is aborted', () => {
  it('gives its result, or what it throws', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done');
    await expect(untilAborted(Promise.reject(new Error('refused')), signal)).rejects.toThrow('refused');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is left with the reason of the signal', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(never, controller.signal);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(untilAborted(never, controller.signal)).rejects.toThrow('gone');
    await expect(untilAborted(Promise.resolve('too late'), controller.signal)).rejects.toThrow('gone');
  });

  it('may fail when nobody waits any more', async () => {
    const controller = new AbortController();
    const work = Promise.withResolvers<never>();
    const waiting = untilAborted(work.promise, controller.signal);
    controller.abort(new Error('gone'));
    work.reject(new Error('refused'));
    await expect(waiting).rejects.toThrow('gone');
  });
});
