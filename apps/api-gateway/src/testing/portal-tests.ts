import type { EventWebhookTests } from './event-webhook-tests.ts';
import type { JsonResponse } from './start-gateway.ts';

export const LINK = {
  group: 'customer-1',
  event_types: ['session.ended', 'policy.denied'],
  frame_origins: ['https://app.example.com'],
};

/** The receiver of an endpoint that a portal link creates; nothing is sent to it. */
export const TARGET = 'https://receiver.example.com/hook';

export interface OpenedPortal {
  readonly id: string;
  readonly token: string;
  readonly url: string;
  readonly expires_at: string;
  /** Sends a request with the token of the link, under `/api/v1/event-webhooks`. */
  ask(method: string, path: string, body?: unknown): Promise<JsonResponse>;
}

/** Creates a portal link of the current account. */
export async function openPortal(tests: EventWebhookTests, fields: object = {}): Promise<OpenedPortal> {
  const { status, body } = await tests.call('POST', '/portal-links', { ...LINK, ...fields });
  expect([status, body.detail]).toEqual([201, undefined]);
  return {
    ...body,
    ask: (method, path, sent) =>
      tests.gateway.call(method, `/api/v1/event-webhooks${path}`, {
        token: body.token,
        ...(sent === undefined ? {} : { body: sent }),
      }),
  };
}
