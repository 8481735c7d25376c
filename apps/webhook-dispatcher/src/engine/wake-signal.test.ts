import { createWakeSignal } from './wake-signal.ts';

const LONG = 60_000;

describe('wake signal', () => {
  it('keeps a wake that comes while nobody sleeps', async () => {
    const signal = createWakeSignal();
    signal.wake();
    await signal.sleep(LONG);
  });

  it('ends the sleep under way', async () => {
    const signal = createWakeSignal();
    const sleeping = signal.sleep(LONG);
    signal.wake();
    await sleeping;
  });

  it('wakes not before the time asked for', async () => {
    const signal = createWakeSignal();
    const startedAt = performance.now();
    signal.wakeIn(150);
    await signal.sleep(LONG);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
    signal.close();
  });
});
