import { randomBytes } from 'node:crypto';
import { EVENT_TYPES, type EventType } from '@steward/contracts';
import { buildRequestHeaders } from '@steward/webhooks';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { verifyWebhook } from './verify-webhook.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const stripe = new Stripe('sk_test_unused').webhooks;

interface Request {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

/** Builds the dispatcher's request for one event. */
function buildRequest(type: EventType, secrets = [secret], data: object = EVENT_TYPES[type].example): Request {
  const body = Buffer.from(
    JSON.stringify({
      id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b13',
      type,
      version: '1',
      occurred_at: '2026-11-20T09:00:00.000Z',
      account_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b00',
      data,
    }),
  );
  const timestamp = Math.floor(Date.now() / 1000);
  const facts = { eventId: 'e-1', eventType: type, deliveryId: 'd-1', attemptNumber: 1 };
  return { body, headers: buildRequestHeaders({ ...facts, secrets, timestamp, traceparent: null, body }) };
}

type Verifier = (request: Request, secret: string) => unknown;

function withoutServiceSignature({ 'X-Service-Signature': _removed, ...rest }: Record<string, string>) {
  return rest;
}

/** Each verifier is used as its documentation describes; all of them return the event or throw. */
const VERIFIERS: readonly (readonly [string, Verifier])[] = [
  ['this package', ({ body, headers }, key) => verifyWebhook(body, headers, key)],
  [
    'this package on the standard headers',
    ({ body, headers }, key) => verifyWebhook(body, withoutServiceSignature(headers), key),
  ],
  ['stripe', ({ body, headers }, key) => stripe.constructEvent(body, headers['X-Service-Signature'] ?? '', key)],
  ['standardwebhooks', ({ body, headers }, key) => new Webhook(key).verify(body, headers)],
];

describe.each(VERIFIERS)('a signed request, verified by %s', (_name, verify) => {
  it.each(Object.keys(EVENT_TYPES) as EventType[])('is accepted: %s', (type) => {
    const request = buildRequest(type);
    expect(verify(request, secret)).toEqual(JSON.parse(request.body.toString()));
  });

  it('is accepted with non-ASCII text', () => {
    const request = buildRequest('webhook.test', [secret], { message: 'größer 😀 \u2028 "quoted"' });
    expect(verify(request, secret)).toEqual(JSON.parse(request.body.toString()));
  });

  it('is accepted with the new and with the old secret during a rotation', () => {
    const older = newSecret();
    const request = buildRequest('webhook.test', [secret, older]);
    expect(verify(request, secret)).toEqual(verify(request, older));
  });

  it('is refused if one byte of the body was changed', () => {
    const request = buildRequest('session.ended');
    const tampered = Buffer.from(request.body.toString().replace('operator', 'operatOr'));
    expect(() => verify({ ...request, body: tampered }, secret)).toThrow();
  });

  it('is refused with a different secret', () => {
    expect(() => verify(buildRequest('session.ended'), newSecret())).toThrow();
  });
});
