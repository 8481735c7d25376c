import { buildRequestHeaders } from '@steward/webhooks';
import { Agent, request } from 'undici';
import { BENCH_EVENT_TYPE } from '../bench-event.ts';

export interface Posted {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number;
}

/**
 * Creates the signed POST, the same for every contender except the product, sent with undici's `request`, its
 * recommended fast interface.
 */
export function createSignedPoster({ url, secret }: { readonly url: string; readonly secret: string }) {
  const dispatcher = new Agent({ keepAliveTimeout: 30_000 });
  return {
    async post(eventId: string, text: string): Promise<Posted> {
      const startedAt = new Date();
      const began = performance.now();
      const body = Buffer.from(text);
      const headers = buildRequestHeaders({
        eventId,
        eventType: BENCH_EVENT_TYPE,
        deliveryId: eventId,
        attemptNumber: 1,
        secrets: [secret],
        traceparent: null,
        timestamp: Math.floor(startedAt.getTime() / 1000),
        body,
      });
      const response = await request(url, { method: 'POST', headers, body, dispatcher });
      await response.body.dump();
      return { startedAt, durationMs: Math.round(performance.now() - began), status: response.statusCode };
    },
  };
}
