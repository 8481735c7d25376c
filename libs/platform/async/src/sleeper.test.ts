import { createSleeper } from './sleeper.ts';

describe('a sleeper', () => {
  it('sleeps for the given time', async () => {
    const startedAt = performance.now();
    await createSleeper().sleep(20);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(19);
  });

  it('can be woken', async () => {
    const sleeper = createSleeper();
    const sleep = sleeper.sleep(60_000);
    sleeper.wake();
    await sleep;
  });

  it('loses no wake-up while it is awake, and counts several as one', async () => {
    const sleeper = createSleeper();
    sleeper.wake();
    sleeper.wake();
    await sleeper.sleep(60_000);
    const startedAt = performance.now();
    await sleeper.sleep(20);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(19);
  });
});
