/**
 * Egress: connections to addresses that users entered. A deployment can block addresses and ports. An address is
 * checked when it is saved, and again whenever a connection is opened. Failures are described without messages from the
 * server.
 *
 * Not here: the settings that configure it (each feature declares its own), the data sent over a connection. Used by:
 * all code that checks such addresses or connects to them: for models, embedding, tool servers, trackers and webhooks,
 * and for the network access of agents.
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
