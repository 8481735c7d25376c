import type { IncomingHttpHeaders } from 'node:http';

export type ForwardOutcome =
  | { readonly kind: 'answered'; readonly status: number }
  /** No response arrived; the request may nevertheless have been processed. */
  | { readonly kind: 'silent'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Time limit for the response: the sender times out after 10 s, so a later response is not received. */
const FORWARD_WITHIN_MS = 9_000;

/** Headers that belong to one connection, not to the message. */
const HOP_BY_HOP = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Forwards the same bytes and headers, so that the signature remains valid for the receiver. */
export async function forwardRequest(
  target: string,
  request: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
  signal: AbortSignal,
): Promise<ForwardOutcome> {
  const headers = Object.entries(request.headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !HOP_BY_HOP.has(entry[0].toLowerCase()),
  );
  try {
    const response = await fetch(target, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new Uint8Array(request.body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_WITHIN_MS)]),
    });
    await response.body?.cancel();
    return { kind: 'answered', status: response.status };
  } catch (error) {
    const { cause, message, name } = error as Error & { cause?: Error & { code?: string } };
    if (name === 'TimeoutError') return { kind: 'silent', reason: `no response within ${FORWARD_WITHIN_MS / 1000} s` };
    return { kind: 'unreachable', reason: cause?.code ?? cause?.message ?? message };
  }
}
