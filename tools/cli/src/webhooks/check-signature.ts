import { verifyWebhook, WebhookVerificationError, type WebhookHeaders } from '@steward/webhook-verify';

export type SignatureCheck = { readonly kind: 'valid' } | { readonly kind: 'invalid'; readonly reason: string };

/**
 * Codes of errors that the verifier reports only if signature and time are valid; the command accepts any body that is
 * signed.
 */
const SIGNED_ALL_THE_SAME: ReadonlySet<string> = new Set(['body_not_json', 'body_not_event']);

/** Checks the signature of a captured or received request as `@steward/webhook-verify` does in a receiver. */
export function checkSignature(
  rawBody: Uint8Array,
  headers: WebhookHeaders,
  secrets: readonly string[],
  options: { readonly toleranceSeconds?: number } = {},
): SignatureCheck {
  try {
    verifyWebhook(rawBody, headers, secrets, options);
    return { kind: 'valid' };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return SIGNED_ALL_THE_SAME.has(error.code) ? { kind: 'valid' } : { kind: 'invalid', reason: error.message };
  }
}
