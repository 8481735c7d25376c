/** What a receiver may rely on (HOOK-14 to HOOK-21). Served by the catalogue route. */
export const DELIVERY_CONTRACT = {
  signatureHeader: 'X-Service-Signature',
  eventIdHeader: 'X-Service-Event-Id',
  eventTypeHeader: 'X-Service-Event-Type',
  deliveryIdHeader: 'X-Service-Delivery-Id',
  attemptHeader: 'X-Service-Attempt',
  userAgent: 'Service-Webhook/1',
  /** Standard Webhooks, sent beside our own so that its verifiers accept the same request. */
  standardIdHeader: 'webhook-id',
  standardTimestampHeader: 'webhook-timestamp',
  standardSignatureHeader: 'webhook-signature',
  /** W3C Trace Context; not signed, and missing from what was queued before there were traces. */
  traceHeader: 'traceparent',
  toleranceSeconds: 300,
  maxAttempts: 6,
  /** Waits before attempts 2 to 6; each is multiplied by a jitter from `jitterMin` to `jitterMax`. */
  retryDelaysSeconds: [10, 60, 300, 900, 2400],
  jitterMin: 0.8,
  jitterMax: 1.2,
  timeoutSeconds: 10,
  success: 'any 2xx',
} as const;
