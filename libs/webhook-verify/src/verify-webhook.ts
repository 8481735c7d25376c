import { timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './events.ts';
import type { WebhookHeaders } from './read-header.ts';
import { readClaim, type SignedClaim } from './signature-schemes.ts';
import { WebhookVerificationError } from './verification-error.ts';

export interface VerifyOptions {
  /**
   * Maximum difference between the request's time and the clock of this machine, in seconds. The default is 300, the
   * tolerance that the documentation of the service specifies.
   */
  readonly toleranceSeconds?: number;
  /** Returns the current time in milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

/**
 * Verifies one webhook request and returns its event. Store `event.id` and skip events that have been handled before:
 * delivery is at least once. The event's type may be unknown to this version; ignore such events and respond with 2xx.
 *
 * @param rawBody the received bytes, before any JSON parser
 * @param secrets the endpoint's secret; during a rotation both secrets, in any order. The prefix `whsec_` of a secret
 * may be omitted
 * @throws WebhookVerificationError whose `code` gives the reason
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent {
  const keys = requireSecrets(secrets);
  requireRawBody(rawBody);
  const claim = readClaim(headers);
  if (!matches(claim, keys, rawBody)) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      `No signature in ${claim.headerName} matches. Either the secret does not belong to this endpoint, or the body was changed: pass the raw body, not JSON that was parsed and serialized again.`,
    );
  }
  // The time is checked after the signature, so that a refused time is known to come from the sender.
  checkTime(claim.timestamp, options);
  return parseEvent(rawBody);
}

function requireSecrets(secrets: string | readonly string[]): readonly string[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets;
  // An unset variable must not become an empty key with which anyone could sign.
  if (!Array.isArray(list) || list.length === 0 || list.some((secret) => typeof secret !== 'string' || secret === '')) {
    throw new WebhookVerificationError('secret_missing', 'Pass at least one secret; no secret may be empty.');
  }
  return list.flatMap(listSpellings);
}

/**
 * Returns the secret as given and, if it lacks the prefix `whsec_`, also with it. Tools that store secrets often drop
 * this prefix, although it is part of the key of `X-Service-Signature`.
 */
function listSpellings(secret: string): readonly string[] {
  return secret.startsWith(PREFIX) ? [secret] : [secret, `${PREFIX}${secret}`];
}

function requireRawBody(rawBody: unknown): void {
  if (typeof rawBody === 'string' || rawBody instanceof Uint8Array) return;
  throw new WebhookVerificationError(
    'body_not_raw',
    'Pass the body as a Buffer, Uint8Array or string, as received. If a JSON parser ran before, use express.raw() or the raw-body hook of your framework to keep the bytes.',
  );
}

/**
 * Returns true if any signature matches. Every signature is checked with every secret, in constant time and without
 * skipping any, so that the duration reveals nothing.
 */
function matches(claim: SignedClaim, secrets: readonly string[], body: Uint8Array | string): boolean {
  let matched = false;
  for (const secret of secrets) {
    const mac = claim.computeMac(secret, body);
    for (const signature of claim.signatures) matched = timingSafeEqual(mac, signature) || matched;
  }
  return matched;
}

function checkTime(timestamp: number, { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions): void {
  if (!(toleranceSeconds >= 0)) throw new RangeError('toleranceSeconds must be a number of at least 0');
  const ageSeconds = Math.floor(now() / 1000) - timestamp;
  if (Math.abs(ageSeconds) <= toleranceSeconds) return;
  throw ageSeconds > 0
    ? new WebhookVerificationError(
        'timestamp_too_old',
        `The request was signed ${ageSeconds} s ago; at most ${toleranceSeconds} s are accepted.`,
      )
    : new WebhookVerificationError(
        'timestamp_in_future',
        `The request was signed ${-ageSeconds} s in the future; at most ${toleranceSeconds} s are accepted. Check this machine's clock.`,
      );
}

function parseEvent(rawBody: Uint8Array | string): WebhookEvent {
  let value: unknown;
  try {
    value = JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
  } catch (cause) {
    throw new WebhookVerificationError('body_not_json', 'The signed body is not JSON.', { cause });
  }
  if (!isEnvelope(value)) {
    throw new WebhookVerificationError('body_not_event', 'The signed body is not an event with id, type and data.');
  }
  return value;
}

function isEnvelope(value: unknown): value is WebhookEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { id, type, data } = value as Record<string, unknown>;
  return typeof id === 'string' && typeof type === 'string' && typeof data === 'object' && data !== null;
}
