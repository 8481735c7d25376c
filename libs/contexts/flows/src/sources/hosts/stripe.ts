import { listNames, readHeader, readText } from '../read-fields.ts';
import { isRecent, isSameText, signParts } from '../signature.ts';
import type { SignedRequest, WebhookSource } from '../source.ts';

/**
 * Describes the webhooks of Stripe. A retry has the same event id, but may have a different `pending_webhooks` in its
 * body.
 */
export const stripe: WebhookSource = {
  mediaTypes: [],
  headers: [],
  verify,
  readEvent({ payload }) {
    const id = readText(payload, 'id');
    const type = readText(payload, 'type');
    return { names: listNames(type), action: type?.split('.').at(-1), deliveryId: id, repeatKey: id };
  },
};

/**
 * Verifies the header `Stripe-Signature`, which has the form `t=1700000000,v1=…,v1=…` and contains several signatures
 * while a secret is being rotated.
 */
function verify({ headers, rawBody, secret, now }: SignedRequest): boolean {
  const parts = (readHeader(headers, 'stripe-signature') ?? '').split(',').map((part) => part.trim());
  const timestamp = parts.find((part) => part.startsWith('t='))?.slice(2);
  if (!isRecent(timestamp, now)) return false;
  const expected = `v1=${signParts({ key: secret, parts: [`${timestamp}.`, rawBody] })}`;
  return parts.some((part) => isSameText(expected, part));
}
