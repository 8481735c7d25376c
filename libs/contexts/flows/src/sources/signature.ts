import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum difference between the signed timestamp and now; Slack, Stripe and Standard Webhooks use the same value. */
const TOLERANCE_SECONDS = 300;

/** Returns whether two strings are equal, compared in constant time; a string of another length does not match. */
export function isSameText(expected: string, presented: string | undefined): boolean {
  if (presented === undefined) return false;
  const [a, b] = [Buffer.from(expected), Buffer.from(presented)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export interface HmacInput {
  readonly key: string | Buffer;
  /** The signed parts, in this order. */
  readonly parts: readonly (string | Buffer)[];
  readonly encoding?: 'hex' | 'base64';
}

/** Returns the HMAC-SHA256 of the parts. */
export function signParts({ key, parts, encoding = 'hex' }: HmacInput): string {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest(encoding);
}

/** Verifies `sha256=` followed by the hex HMAC of the body, as sent by GitHub, Bitbucket and Jira. */
export function matchesHubSignature(secret: string, rawBody: Buffer, presented: string | undefined): boolean {
  return isSameText(`sha256=${signParts({ key: secret, parts: [rawBody] })}`, presented?.toLowerCase());
}

/** Returns whether a timestamp differs from now by no more than the tolerance. @param text - seconds since 1970 */
export function isRecent(text: string | undefined, now: Date): boolean {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return false;
  return Math.abs(now.getTime() / 1000 - Number(text)) <= TOLERANCE_SECONDS;
}

interface StandardRequest {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  /**
   * Value of the header, which may contain several signatures, separated by spaces, while a secret is being rotated.
   */
  readonly signatures: string | undefined;
  readonly rawBody: Buffer;
  readonly secret: string;
  readonly now: Date;
}

/**
 * Verifies a signature of Standard Webhooks: `v1,` followed by the base64 HMAC of id, time and body; the secret is
 * base64, usually after the prefix `whsec_`.
 */
export function matchesStandardSignature(request: StandardRequest): boolean {
  const { id, timestamp, signatures, rawBody, secret, now } = request;
  if (id === undefined || signatures === undefined || !isRecent(timestamp, now)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // Invalid base64 would be decoded to an empty key, which is refused.
  if (key.length === 0) return false;
  const expected = `v1,${signParts({ key, parts: [`${id}.${timestamp}.`, rawBody], encoding: 'base64' })}`;
  return signatures.split(' ').some((one) => isSameText(expected, one));
}
