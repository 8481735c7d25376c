import { hash } from 'node:crypto';

/** How long a key answers the execution it first made (FLOW-26). */
export const IDEMPOTENCY_HOURS = 24;

/** Headers that carry a sender's key, the caller's own first. */
const IDEMPOTENCY_HEADERS = [
  'idempotency-key',
  'x-github-delivery',
  'x-gitlab-event-uuid',
  'webhook-id',
  'x-service-event-id',
] as const;

/** The first key a request carries, or undefined. */
export function readIdempotencyKey(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  for (const name of IDEMPOTENCY_HEADERS) {
    const value = headers[name];
    const text = (Array.isArray(value) ? value[0] : value)?.trim();
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}

/** Keys and bodies are stored as digests: a key may be long, a body must not be kept twice. */
export function digest(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer');
}
