/**
 * Webhooks slice: the outbox of events, endpoints with their secrets and breakers, deliveries and attempts. Producers
 * emit in their own transaction; the dispatcher claims, posts and settles.
 *
 * Not here: HTTP of any kind (routes are the gateway's, the POST is the dispatcher's), the event types (@steward/contracts).
 * Used by: api-gateway (routes, producers), flow-trigger (producer), webhook-dispatcher (owner).
 */
export { webhooksMigrations } from '../migrations/index.ts';
export { emitEvent } from './operations/emit-event.ts';
export type { EmitOptions, EmitOutcome, EmittedEvent } from './operations/emit-event.ts';
export { claimDeliveries, claimProbes, releaseClaims } from './operations/claim-deliveries.ts';
export { purgeHistory } from './operations/purge-history.ts';
export type { PurgeResult } from './operations/purge-history.ts';
export { readQueueGauges } from './operations/read-queue-gauges.ts';
export type { QueueGauges } from './operations/read-queue-gauges.ts';
export { settleAttempts } from './operations/settle-attempts.ts';
export type { BreakerMove, SettleResult } from './operations/settle-attempts.ts';
export type { ClaimedDelivery, ClaimInput } from './store/claim.store.ts';
export type { AttemptRecord, AttemptVerdict, DeliveryOutcome } from './store/settle.store.ts';
export type { BreakerRules } from './rules/breaker.ts';
export { buildRequestHeaders } from './rules/request-headers.ts';
export type { OutboundRequest } from './rules/request-headers.ts';
export { computeRetryDelayMs } from './rules/retry-schedule.ts';
export { createTargetGuard } from './rules/target-guard.ts';
export type { BlockReason, TargetGuard } from './rules/target-guard.ts';
