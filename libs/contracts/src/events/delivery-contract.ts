/** Guarantees for receivers (HOOK-14 to HOOK-21), served by the catalog route. */
export const DELIVERY_CONTRACT = {
  signatureHeader: 'X-Service-Signature',
  eventIdHeader: 'X-Service-Event-Id',
  eventTypeHeader: 'X-Service-Event-Type',
  deliveryIdHeader: 'X-Service-Delivery-Id',
  attemptHeader: 'X-Service-Attempt',
  userAgent: 'Service-Webhook/1',
  /**
   * Headers of Standard Webhooks, sent in addition to Steward's own headers, so that verifiers for that standard accept
   * the same request.
   */
  standardIdHeader: 'webhook-id',
  standardTimestampHeader: 'webhook-timestamp',
  standardSignatureHeader: 'webhook-signature',
  /**
   * Header of W3C Trace Context; not signed, and missing from events that were queued before traces were introduced.
   */
  traceHeader: 'traceparent',
  toleranceSeconds: 300,
  maxAttempts: 6,
  /** Delays in seconds before attempts 2 to 6; each is multiplied by a jitter from `jitterMin` to `jitterMax`. */
  retryDelaysSeconds: [10, 60, 300, 900, 2400],
  jitterMin: 0.8,
  jitterMax: 1.2,
  timeoutSeconds: 10,
  success: 'any 2xx',
} as const;

/** Description of each request header. */
export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  [DELIVERY_CONTRACT.signatureHeader]:
    't=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">, with one v1 part per secret. The key is the whole secret string.',
  [DELIVERY_CONTRACT.eventIdHeader]: 'Event id; stable across retries and replays.',
  [DELIVERY_CONTRACT.eventTypeHeader]: 'Event type.',
  [DELIVERY_CONTRACT.deliveryIdHeader]: 'Id of this delivery; differs per endpoint and per replay.',
  [DELIVERY_CONTRACT.attemptHeader]: 'Attempt number, from 1.',
  'User-Agent': DELIVERY_CONTRACT.userAgent,
  [DELIVERY_CONTRACT.standardIdHeader]: 'Event id (Standard Webhooks).',
  [DELIVERY_CONTRACT.standardTimestampHeader]:
    'Unix time in seconds (Standard Webhooks); the same as t in the X-Service-Signature header.',
  [DELIVERY_CONTRACT.standardSignatureHeader]:
    'v1,<base64 HMAC-SHA256 of "<id>.<timestamp>.<raw body>">, with one such value per secret, separated by spaces. ' +
    'The key is the base64-decoded part of the secret after whsec_. If the secret has another format, which is ' +
    'possible for an approval workflow, the key is the secret itself.',
  [DELIVERY_CONTRACT.traceHeader]: 'W3C Trace Context of this delivery, for tracing; not signed.',
};
