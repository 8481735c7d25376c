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
export { readClockSkewSeconds } from './operations/read-clock-skew.ts';
export { readQueueGauges } from './operations/read-queue-gauges.ts';
export type { QueueGauges } from './operations/read-queue-gauges.ts';
export { settleDelivered, type DeliveredResult } from './operations/settle-delivered.ts';
export { settleAttempts } from './operations/settle-attempts.ts';
export type { SettleResult } from './operations/settle-attempts.ts';
export type { BreakerMove, EndpointHold, PastBreakerMove } from './store/breaker-history.store.ts';
export type { ClaimedDelivery, ClaimInput } from './store/claim.store.ts';
export type { AttemptRecord, AttemptVerdict, DeliveryOutcome } from './store/settle.store.ts';
export type { BreakerRules } from './rules/breaker.ts';
export { buildRequestHeaders } from './rules/request-headers.ts';
export type { OutboundRequest } from './rules/request-headers.ts';
export { delayByRetryAfter } from './rules/retry-after.ts';
export { computeRetryDelayMs } from './rules/retry-schedule.ts';
export { createTargetGuard } from './rules/target-guard.ts';
export type { BlockReason, TargetGuard } from './rules/target-guard.ts';
export { checkEndpointUrl, MAX_URL_LENGTH } from './rules/endpoint-url.ts';
export type { EndpointUrl } from './rules/endpoint-url.ts';
export type { Endpoint } from './rules/endpoint-view.ts';
export {
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  MAX_ENDPOINTS_PER_ACCOUNT,
  rotateEndpointSecret,
  updateEndpoint,
} from './operations/manage-endpoints.ts';
export type { ChangeRefusal, CreateEndpointOutcome } from './operations/manage-endpoints.ts';
export {
  listWorkflowEndpoints,
  rotateWorkflowSecret,
  saveWorkflowEndpoints,
} from './operations/manage-workflow-endpoints.ts';
export type { SavedWorkflow, WorkflowTargets } from './operations/manage-workflow-endpoints.ts';
export { reportAcceptances } from './operations/report-acceptances.ts';
export type { AcceptanceReport } from './operations/report-acceptances.ts';
export type { Acceptance } from './store/acceptance.store.ts';
export { listDeliveries, readDelivery } from './operations/read-deliveries.ts';
export type { InspectedDelivery } from './operations/read-deliveries.ts';
export { findRecoveryJob, requestRecovery, runRecoveryBatch } from './operations/recover-deliveries.ts';
export type { RecoveryOutcome, RecoveryStep } from './operations/recover-deliveries.ts';
export { replayEvent } from './operations/replay-event.ts';
export type { ReplayOutcome } from './operations/replay-event.ts';
export { sendTestEvent } from './operations/send-test-event.ts';
export type { TestSend } from './operations/send-test-event.ts';
export type { EndpointPatch } from './store/endpoint.store.ts';
export type { RecoveryJob, RecoveryScope } from './store/recovery.store.ts';
export type { Delivery, DeliveryFilter, LoggedAttempt } from './store/delivery.store.ts';
export type { CircuitState, DeliveryStatus, EndpointSource } from './schema.ts';
