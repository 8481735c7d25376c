/**
 * Client of Steward for TypeScript. `Steward` has one method for each operation of the API; its types and methods are
 * generated from the OpenAPI document (`npm run docs`). Retries, paging and waiting are written by hand.
 *
 * Not here: features that the API does not have; the verification of webhooks, which this package only re-exports from
 * `@steward/webhook-verify`. Used by: programs of users. The product itself does not use it.
 */
export type * from './__generated__/types.gen.ts';
export { Caller, type CallerOptions, type CallOptions, type CallRequest, type RawBody } from './caller.ts';
export type { Pages } from './pages.ts';
export { Steward, type WaitOptions } from './steward.ts';
export { StewardError } from './steward-error.ts';
export {
  isTruncated,
  verifyWebhook,
  WebhookVerificationError,
  type EventDataByType,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookEventType,
  type WebhookHeaders,
  type WebhookVerificationCode,
} from '@steward/webhook-verify';
