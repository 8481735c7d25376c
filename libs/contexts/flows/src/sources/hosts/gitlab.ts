import { listNames, readHeader, readText, withAction } from '../read-fields.ts';
import { isSameText, matchesStandardSignature } from '../signature.ts';
import type { SignedRequest, WebhookSource } from '../source.ts';

/**
 * Describes the webhooks of GitLab. `X-Gitlab-Event-UUID` is shared by events that a webhook itself causes (recursive
 * webhooks), so it identifies a repeated request only together with the body. `Idempotency-Key` (since GitLab 17.4) is
 * unique and stays the same for retries.
 */
export const gitlab: WebhookSource = {
  mediaTypes: [],
  headers: ['x-gitlab-event', 'x-gitlab-event-uuid', 'x-gitlab-webhook-uuid', 'x-gitlab-instance', 'idempotency-key'],
  verify,
  readEvent({ headers, payload, bodyDigest }) {
    const event = readHeader(headers, 'x-gitlab-event');
    const kind = readText(payload, 'object_kind') ?? readText(payload, 'event_name');
    const action = readText(payload, 'object_attributes', 'action');
    const key = readHeader(headers, 'idempotency-key');
    const uuid = readHeader(headers, 'x-gitlab-event-uuid');
    return {
      names: listNames(event, kind, withAction(kind, action)),
      action,
      deliveryId: key ?? uuid,
      repeatKey: key ?? (uuid && `${uuid}:${bodyDigest}`),
    };
  },
};

/**
 * Verifies the plain secret token, or a signature of Standard Webhooks with the newer signing token (`whsec_…`). The id
 * that is signed has the same value as `Idempotency-Key`. A webhook may have both kinds of token, and a flow may store
 * either of them.
 */
function verify({ headers, rawBody, secret, now }: SignedRequest): boolean {
  if (isSameText(secret, readHeader(headers, 'x-gitlab-token'))) return true;
  const signatures = readHeader(headers, 'webhook-signature');
  const [id, timestamp] = [readHeader(headers, 'webhook-id'), readHeader(headers, 'webhook-timestamp')];
  return matchesStandardSignature({ id, timestamp, signatures, rawBody, secret, now });
}
