/** Reason why a request was refused. The codes are stable: receivers may use them in counters and conditions. */
export type WebhookVerificationCode =
  /** No secret was given, or an empty one: an error in the receiver's configuration. */
  | 'secret_missing'
  /** The body is not the received bytes, but the output of a parser. */
  | 'body_not_raw'
  | 'header_missing'
  | 'header_malformed'
  /** No signature matches the received bytes with any of the secrets. */
  | 'signature_mismatch'
  /** The signature is valid, but the request is older than the tolerance. */
  | 'timestamp_too_old'
  /** The signature is valid, but the request is further in the future than the tolerance. */
  | 'timestamp_in_future'
  | 'body_not_json'
  /** The signature is valid, but the JSON is not an event envelope. */
  | 'body_not_event';

/**
 * Thrown if the request must not be trusted; respond with 400 (500 for `secret_missing` and `body_not_raw`, which are
 * errors of the receiver).
 */
export class WebhookVerificationError extends Error {
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}
