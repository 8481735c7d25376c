import { readIdempotencyKey } from '../../triggers/rules/idempotency.ts';
import type { WebhookSource } from '../source.ts';

/**
 * Describes the webhooks of any sender of JSON. They have neither signatures nor event names; repeated requests are
 * detected as for every trigger.
 */
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
