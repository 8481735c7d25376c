import { startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { startDispatching, type Dispatching } from './start-dispatching.ts';

/** So long that only a message can have woken the dispatcher. */
export const NO_POLL = { WEBHOOK_DELIVERY_POLL_SECONDS: '3600' };
/** Six attempts within half a second. */
export const FAST_SCHEDULE = { retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05] };

/** For a test file: one suite for all its tests, a receiver and no dispatcher left over for each of them. */
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
    /** The receiver answers nothing until the function that is given back was called, and then a failure. */
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
