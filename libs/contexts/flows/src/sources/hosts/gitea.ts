import { listNames, readHeader, readText, withAction } from '../read-fields.ts';
import { isSameText, matchesHubSignature, signParts } from '../signature.ts';
import type { SignedRequest, SourceHeaders, WebhookSource } from '../source.ts';
import { FORM } from './github.ts';

/** Vendor names in the headers: Forgejo and Gogs send the same data as Gitea, under their own header names. */
const VENDORS = ['gitea', 'forgejo', 'gogs'] as const;

export const gitea: WebhookSource = {
  mediaTypes: [FORM],
  headers: VENDORS.flatMap((vendor) => [`x-${vendor}-event`, `x-${vendor}-event-type`, `x-${vendor}-delivery`]),
  verify,
  readEvent({ headers, payload, bodyDigest }) {
    const event = readVendor(headers, 'event');
    const action = readText(payload, 'action');
    const deliveryId = readVendor(headers, 'delivery');
    return {
      names: listNames(event, readVendor(headers, 'event-type'), withAction(event, action)),
      action,
      deliveryId,
      repeatKey: deliveryId && `${deliveryId}:${bodyDigest}`,
    };
  },
};

/** Verifies the hex HMAC of the body in the vendor's header or, if that header is missing, in GitHub's header. */
function verify({ headers, rawBody, secret }: SignedRequest): boolean {
  const own = readVendor(headers, 'signature');
  if (own !== undefined) return isSameText(signParts({ key: secret, parts: [rawBody] }), own.toLowerCase());
  return matchesHubSignature(secret, rawBody, readHeader(headers, 'x-hub-signature-256'));
}

function readVendor(headers: SourceHeaders, field: string): string | undefined {
  for (const vendor of VENDORS) {
    const value = readHeader(headers, `x-${vendor}-${field}`);
    if (value !== undefined) return value;
  }
  return undefined;
}
