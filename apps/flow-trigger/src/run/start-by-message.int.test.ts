import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

describe('an accepted trigger', () => {
  let worker: TestWorker;
  beforeAll(async () => {
    // The interval is so long that the reconciler does not start any run in the tests of this file.
    worker = await startTestWorker({ FLOW_RECONCILE_SECONDS: '600' });
  });
  afterAll(() => worker.stop());

  it('is started by its message, without waiting for the next poll', async () => {
    const flow = await worker.createFlow('true');
    const announced = await worker.trigger(flow);
    expect((await worker.waitForEnd(announced.id)).status).toBe('SUCCEEDED');
  });
});
