import { getEventListeners } from 'node:events';
import { untilAborted } from './until-aborted.ts';

const never = new Promise<never>(() => undefined);

describe('waiting for work until a signal is aborted', () => {
  it('returns its result or its error', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done');
    await expect(untilAborted(Promise.reject(new Error('refused')), signal)).rejects.toThrow('refused');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('fails with the abort reason of the signal', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(never, controller.signal);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(untilAborted(never, controller.signal)).rejects.toThrow('gone');
    await expect(untilAborted(Promise.resolve('too late'), controller.signal)).rejects.toThrow('gone');
  });

  it('ignores a later error of the work', async () => {
    const controller = new AbortController();
    const work = Promise.withResolvers<never>();
    const waiting = untilAborted(work.promise, controller.signal);
    controller.abort(new Error('gone'));
    work.reject(new Error('refused'));
    await expect(waiting).rejects.toThrow('gone');
  });
});
