/** Types of messages that are not events of the catalog, as shown in lists of deliveries. */
export const CHAT_MESSAGE = 'approval.message';
export const MAIL_MESSAGE = 'approval.mail';
/**
 * Type that only notice channels and browsers receive: the circuit breaker of an endpoint opened, or deliveries to the
 * endpoint were given up.
 */
export const ENDPOINT_FAILING = 'webhook.endpoint_failing';
