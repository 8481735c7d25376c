/**
 * Webhook verification for receivers: one function that checks signature and time of a request and returns its typed
 * event. It is published for people who run receivers, and has no dependencies beyond Node's own modules.
 *
 * Not here: an HTTP server, de-duplication (the receiver's store), signing. Used by: receivers outside this workspace,
 * the examples in docs/use/receivers, the SDK, the command line, tests and benchmarks. The product's own apps do not
 * use it.
 */
export {
  isTruncated,
  type EventDataByType,
  type TruncatedData,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookEventType,
} from './events.ts';
export type { WebhookHeaders } from './read-header.ts';
export { WebhookVerificationError, type WebhookVerificationCode } from './verification-error.ts';
export { verifyWebhook, type VerifyOptions } from './verify-webhook.ts';
