import { createHmac, timingSafeEqual } from 'node:crypto';

export type Verification =
  { readonly kind: 'valid'; readonly timestamp: Date } | { readonly kind: 'invalid'; readonly reason: string };

export interface VerifyOptions {
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

export const SIGNATURE_HEADER = 'x-service-signature';
const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Checks `X-Service-Signature: t=<unix seconds>,v1=<hex>` over the bytes as they were received. Any `v1` part made with
 * any of the secrets will do: during a rotation there are several of both. Unknown parts are ignored.
 */
export function verifySignature(
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secrets: readonly string[],
  options: VerifyOptions = {},
): Verification {
  const header = headers[SIGNATURE_HEADER];
  if (typeof header !== 'string' || header === '') return invalid('there is no X-Service-Signature header');
  const parts = header.split(',').map((part) => part.trim());
  const stamp = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  const signatures = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3));
  if (!/^\d{1,12}$/.test(stamp)) return invalid('the signature has no usable timestamp (t=)');
  if (signatures.length === 0) return invalid('the signature has no v1 part');
  if (!secrets.some((secret) => signatures.some((signature) => matches(signature, secret, stamp, rawBody))))
    return invalid('the signature does not match: other bytes, or another secret');
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = new Date() } = options;
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(stamp);
  if (Math.abs(ageSeconds) > toleranceSeconds)
    return invalid(`the signature matches, but its time is ${ageSeconds} s ago; ${toleranceSeconds} s are allowed`);
  return { kind: 'valid', timestamp: new Date(Number(stamp) * 1000) };
}

function matches(signature: string, secret: string, stamp: string, rawBody: Uint8Array): boolean {
  const expected = createHmac('sha256', secret).update(`${stamp}.`).update(rawBody).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function invalid(reason: string): Verification {
  return { kind: 'invalid', reason };
}
