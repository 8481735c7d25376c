import { createWakeSignal } from './wake-signal.ts';

const LONG = 60_000;

describe('wake signal', () => {
  it('stores a signal that is sent while nobody waits', async () => {
    const signal = createWakeSignal();
    signal.wake();
    await signal.sleep(LONG);
  });

  it('ends the current wait', async () => {
    const signal = createWakeSignal();
    const sleeping = signal.sleep(LONG);
    signal.wake();
    await sleeping;
  });

  it('does not wake before the requested time', async () => {
    const signal = createWakeSignal();
    const startedAt = performance.now();
    signal.wakeIn(150);
    await signal.sleep(LONG);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
    signal.close();
  });
});
