import {
  describeWebhookSecret,
  buildWebhookSecret,
  hashWebhookSecret,
  matchesWebhookSecret,
} from '../../flows/rules/webhook-secret.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { unwrapManualPayload } from './trigger-payload.ts';

describe('webhook secret', () => {
  const secret = buildWebhookSecret((size) => Buffer.alloc(size, 9));

  it('requires no escaping in a URL and can be recognized', () => {
    expect(secret).toMatch(/^flw_[A-Za-z0-9_-]{43}$/);
    expect(describeWebhookSecret(secret)).toBe(secret.slice(-4));
  });

  it('matches only itself; nothing matches if there is none (FLOW-14)', () => {
    expect(matchesWebhookSecret(hashWebhookSecret(secret), hashWebhookSecret(secret))).toBe(true);
    expect(matchesWebhookSecret(hashWebhookSecret(secret), hashWebhookSecret(`${secret}x`))).toBe(false);
    for (const missing of [null, undefined]) {
      expect(matchesWebhookSecret(missing, hashWebhookSecret(secret))).toBe(false);
      // The placeholder for a missing hash matches no secret.
      expect(matchesWebhookSecret(missing, Buffer.alloc(32))).toBe(false);
    }
  });
});

describe('idempotency key', () => {
  it('prefers the caller’s own key to a sender’s delivery id', () => {
    const senders = {
      'x-github-delivery': 'gh',
      'x-gitlab-event-uuid': 'gl',
      'webhook-id': 'wh',
      'x-service-event-id': 'ev',
    };
    const body = () => 'digest';
    expect(readIdempotencyKey({ ...senders, 'idempotency-key': 'own' }, body)).toBe('own');
    for (const [name, value] of Object.entries(senders)) {
      const key = name === 'x-gitlab-event-uuid' ? `${value}:digest` : value;
      expect(readIdempotencyKey({ [name]: value }, body)).toBe(key);
    }
  });

  it('is missing if blank', () => {
    expect(readIdempotencyKey({ 'idempotency-key': '  ' }, () => 'digest')).toBeUndefined();
  });
});

describe('manual payload', () => {
  it('unwraps a body whose only field is a payload object', () => {
    expect(unwrapManualPayload({ payload: { a: 1 } })).toEqual({ kind: 'payload', payload: { a: 1 } });
  });

  it.each([{ a: 1 }, { payload: 'text' }, { payload: [1] }, { payload: { a: 1 }, other: 2 }, {}])(
    'leaves any other body unchanged: %j',
    (body) => {
      expect(unwrapManualPayload(body)).toEqual({ kind: 'payload', payload: body });
    },
  );

  it('refuses files declared both inside and beside it', () => {
    expect(unwrapManualPayload({ payload: { workspace_files: [] }, workspace_files: [] })).toEqual({
      kind: 'declared_twice',
    });
  });
});
