import { buildRequestHeaders } from '@steward/slice-webhooks';
import { Agent, type Dispatcher } from 'undici';
import { BENCH_EVENT_TYPE } from '../bench-event.ts';

export interface Posted {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number;
}

/**
 * The same signed POST for every contender but the product, by undici's leanest interface. It resolves with the end of the
 * response and rejects when there is none.
 */
export function createSignedPoster({ url, secret }: { readonly url: string; readonly secret: string }) {
  const agent = new Agent({ keepAliveTimeout: 30_000 });
  const { origin, pathname: path } = new URL(url);
  return {
    post(eventId: string, text: string): Promise<Posted> {
      const startedAt = new Date();
      const began = performance.now();
      const body = Buffer.from(text);
      const headers = buildRequestHeaders({
        eventId,
        eventType: BENCH_EVENT_TYPE,
        deliveryId: eventId,
        attemptNumber: 1,
        secrets: [secret],
        timestamp: Math.floor(startedAt.getTime() / 1000),
        body,
      });
      return new Promise((done, fail) => {
        let status = 0;
        const handler: Dispatcher.DispatchHandler = {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, code) => void (status = code),
          onResponseData: () => undefined,
          onResponseEnd: () => done({ startedAt, durationMs: Math.round(performance.now() - began), status }),
          onResponseError: (_controller, error) => fail(error),
        };
        agent.dispatch({ origin, path, method: 'POST', headers, body }, handler);
      });
    },
    close: () => agent.close(),
  };
}
