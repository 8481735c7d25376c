import { hash } from 'node:crypto';

/** Number of hours for which a key returns its first execution (FLOW-26). */
export const IDEMPOTENCY_HOURS = 24;

const SHARED_BY_CHAIN = 'x-gitlab-event-uuid';

/** Headers that may contain a sender's key; the header that this service defines comes first. */
const IDEMPOTENCY_HEADERS = [
  'idempotency-key',
  'x-github-delivery',
  SHARED_BY_CHAIN,
  'webhook-id',
  'x-service-event-id',
] as const;

/**
 * Returns the first key in a request, or undefined. GitLab assigns the same UUID to all events of a chain (recursive
 * webhooks), so a key from GitLab's header also contains the digest of the body.
 *
 * @param bodyDigest - returns the SHA-256 of the body in hex; called only if needed
 */
export function readIdempotencyKey(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  bodyDigest: () => string,
): string | undefined {
  for (const name of IDEMPOTENCY_HEADERS) {
    const value = headers[name];
    const text = (Array.isArray(value) ? value[0] : value)?.trim();
    if (text !== undefined && text !== '') return name === SHARED_BY_CHAIN ? `${text}:${bodyDigest()}` : text;
  }
  return undefined;
}

/**
 * Returns the digest that is stored instead of a key or a body: a key may be long, and a body should not be stored
 * twice.
 */
export function digest(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer');
}
