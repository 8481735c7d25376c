import { startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { startDispatching, type Dispatching } from './start-dispatching.ts';

/** An interval so long that only a message can wake the dispatcher. */
export const NO_POLL = { WEBHOOK_DELIVERY_POLL_SECONDS: '3600' };
/** Retry schedule of six attempts within half a second. */
export const FAST_SCHEDULE = { retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05] };

/** Provides one suite for all tests of a file, a receiver, and stops leftover dispatchers after each test. */
export function useDispatching() {
  let suite: Dispatching;
  let receiver: HttpReceiver;

  beforeAll(async () => {
    suite = await startDispatching();
  });
  afterAll(() => suite.close());
  beforeEach(async () => {
    receiver = await startHttpReceiver();
  });
  afterEach(async () => {
    await suite.stopDispatchers();
    await receiver.close();
  });
  return {
    get suite(): Dispatching {
      return suite;
    },
    get receiver(): HttpReceiver {
      return receiver;
    },
    /** Makes the receiver not respond until the returned function is called, and then respond with a failure. */
    holdAnswers(): () => void {
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      receiver.respondWith(async (_request, response) => {
        await held;
        response.writeHead(500).end();
      });
      return release;
    },
  };
}
