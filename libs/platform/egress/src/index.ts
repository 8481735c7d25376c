/**
 * Egress: connections to addresses that somebody typed. A guard that names the addresses and ports a deployment does not
 * dial, asked twice: when the address is saved, and at every connection; and what came back said in our own words.
 *
 * Not here: the settings that open and close it (each feature declares its own), what is sent over a connection.
 * Used by: api-gateway (addresses when they are saved, calls of models), webhook-dispatcher (deliveries), embedding-client, mcp-client.
 */
export { AnswerLimitError, type AnswerLimits } from './answer-limits.ts';
export { checkBaseUrl, readOrigin } from './check-base-url.ts';
export {
  classifyFailure,
  mayHaveBeenSent,
  type ConnectionFailure,
  type ConnectionFailureClass,
} from './classify-failure.ts';
export { findBlockReason, type ResolveName } from './find-block-reason.ts';
export { createGuardedFetch, type GuardedFetch } from './create-guarded-fetch.ts';
export {
  createGuardedConnector,
  type GuardedConnector,
  type GuardedConnectorOptions,
  type ResolveAll,
} from './guarded-connector.ts';
export { parseRetryAfterMs, MAX_RETRY_AFTER_MS } from './parse-retry-after.ts';
export { createTargetGuard, type BlockReason, type TargetGuard } from './target-guard.ts';
export { postJson, type JsonAnswer } from './post-json.ts';
export { createProviderPools, type ProviderPools, type ProviderPoolsOptions } from './provider-pools.ts';
export { readProviderError } from './read-provider-error.ts';
export { isAllowedPort, readPort } from './target-port.ts';
