import { readIdempotencyKey } from '../../triggers/rules/idempotency.ts';
import type { WebhookSource } from '../source.ts';

/** Any sender of JSON: no signature, no name of an event; its repeats as every trigger has them. */
export const generic: WebhookSource = {
  mediaTypes: [],
  headers: [],
  signs: 'nothing',
  verify: () => false,
  readEvent({ headers, bodyDigest }) {
    const key = readIdempotencyKey(headers, () => bodyDigest);
    return { names: [], deliveryId: key, repeatKey: key };
  },
};
