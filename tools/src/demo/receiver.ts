import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '@steward/testing';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';

export interface EventReceiver {
  readonly url: string;
  /** Resolves with the first event of the given type. */
  waitFor(type: string): Promise<ReceivedRequest>;
  close(): Promise<void>;
}

/** Starts a receiver as a customer would write it: it stores the raw bytes, and responds with 200. */
export async function startEventReceiver(): Promise<EventReceiver> {
  const receiver: HttpReceiver = await startHttpReceiver();
  return {
    url: `${receiver.url}/events`,
    close: () => receiver.close(),
    async waitFor(type) {
      for (let count = 1; ; count += 1) {
        const requests = await receiver.waitForRequests(count);
        const found = requests.find((request) => request.headers['x-service-event-type'] === type);
        if (found !== undefined) return found;
      }
    },
  };
}

/**
 * Verifies one request with two public libraries.
 * @throws if either refuses it
 */
export function verifyWithPublicLibraries(request: ReceivedRequest, secret: string): void {
  const header = String(request.headers['x-service-signature']);
  new Stripe('sk_test_unused').webhooks.constructEvent(request.body, header, secret);
  new Webhook(secret).verify(request.body.toString('utf8'), {
    'webhook-id': String(request.headers['webhook-id']),
    'webhook-timestamp': String(request.headers['webhook-timestamp']),
    'webhook-signature': String(request.headers['webhook-signature']),
  });
}
