import { setTimeout as delay } from 'node:timers/promises';
import { createLifecycle, type Component } from './lifecycle.ts';
import { stopTogether } from './stop-together.ts';
import type { LogFields, Logger } from '../logging/logger.ts';

function setUp(stopDeadlineSeconds = 60) {
  const calls: string[] = [];
  const errors: [string, LogFields | undefined][] = [];
  const ignore = (): void => undefined;
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (event, fields) => void errors.push([event, fields]),
    child: () => logger,
  };
  const component = (name: string, changes: Partial<Component> = {}): Component => ({
    name,
    start: () => void calls.push(`start ${name}`),
    stop: async () => {
      await delay(1);
      calls.push(`stop ${name}`);
    },
    ...changes,
  });
  const create = (...components: Component[]) => createLifecycle(components, { logger, stopDeadlineSeconds });
  return { calls, errors, component, create };
}

describe('lifecycle', () => {
  it('starts parts in order and stops them in reverse order, one after the other', async () => {
    const { calls, component, create } = setUp();
    const lifecycle = create(component('pool'), component('broker'), { name: 'passive' }, component('worker'));
    await lifecycle.start();
    expect(await lifecycle.stop()).toBe(true);
    expect(calls).toEqual(['start pool', 'start broker', 'start worker', 'stop worker', 'stop broker', 'stop pool']);
  });

  it('a failed start stops the parts already started, including the partially started one, and reports the original error', async () => {
    const { calls, component, create } = setUp();
    const failure = new Error('port in use');
    const broken = component('broken', { start: () => Promise.reject(failure) });
    await expect(create(component('pool'), broken, component('never')).start()).rejects.toBe(failure);
    expect(calls).toEqual(['start pool', 'stop broken', 'stop pool']);
  });

  it('two stop requests stop the parts once, and both callers wait until that is finished', async () => {
    const { calls, component, create } = setUp();
    const lifecycle = create(component('pool'));
    await lifecycle.start();
    expect(await Promise.all([lifecycle.stop(), lifecycle.stop()])).toEqual([true, true]);
    expect(calls).toEqual(['start pool', 'stop pool']);
  });

  it('a part that fails to stop is logged and does not prevent the others from stopping', async () => {
    const { calls, errors, component, create } = setUp();
    const error = new Error('no');
    const lifecycle = create(component('pool'), component('broken', { stop: () => Promise.reject(error) }));
    await lifecycle.start();
    expect(await lifecycle.stop()).toBe(true);
    expect(calls).toContain('stop pool');
    expect(errors).toEqual([['component.stop_failed', { component: 'broken', error }]]);
  });

  it('a part that hangs is abandoned at the deadline', async () => {
    const { errors, component, create } = setUp(0.05);
    const lifecycle = create(component('hangs', { stop: () => new Promise(() => undefined) }));
    await lifecycle.start();
    expect(await lifecycle.stop()).toBe(false);
    expect(errors.map(([event]) => event)).toEqual(['service.stop_deadline_passed']);
  });

  it('parts that stop together all stop although one is still finishing, and the others after it (PROC-8)', async () => {
    const { calls, component, create } = setUp();
    let finish!: () => void;
    const work = new Promise<void>((resolve) => (finish = resolve));
    const claims = component('claims', {
      stop: () => {
        calls.push('stop claims');
        finish();
      },
    });
    const slow = component('slow', { stop: () => work.then(() => void calls.push('stop slow')) });
    const lifecycle = create(component('pool'), stopTogether('work', [claims, slow]));
    await lifecycle.start();
    expect(await lifecycle.stop()).toBe(true);
    expect(calls.slice(3)).toEqual(['stop claims', 'stop slow', 'stop pool']);
  });

  it('names each of the parts that stop together and fails to stop', async () => {
    const { calls, errors, component, create } = setUp();
    const broken = component('broken', { stop: () => Promise.reject(new Error('no')) });
    const lifecycle = create(stopTogether('work', [broken, component('claims')]));
    await lifecycle.start();
    expect(await lifecycle.stop()).toBe(true);
    expect(calls).toContain('stop claims');
    expect(errors).toEqual([
      ['component.stop_failed', { component: 'work', error: new AggregateError([], 'broken did not stop') }],
    ]);
  });

  it('parts that stop together all stop if one of them fails to start', async () => {
    const { calls, component, create } = setUp();
    const failure = new Error('no');
    const broken = component('broken', { start: () => Promise.reject(failure) });
    const group = stopTogether('work', [component('claims'), broken, component('never')]);
    await expect(create(group).start()).rejects.toBe(failure);
    expect(calls).toEqual(['start claims', 'stop claims', 'stop broken', 'stop never']);
  });
});
