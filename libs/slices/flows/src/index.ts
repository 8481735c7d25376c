/**
 * Flows slice: flows, their triggers and executions: the rules of payloads, workspace files and prompts, acceptance in
 * one transaction, leases, the end of a run.
 *
 * Not here: HTTP (api-gateway) and running anything (flow-trigger).
 * Used by: api-gateway, flow-trigger.
 */
export { flowsMigrations } from '../migrations/index.ts';
export { ageReceipt, locateEvidence } from './evidence/evidence-file.ts';
export { evidenceSettings } from './evidence/evidence-settings.ts';
export type { FlowWriteOptions } from './flow-options.ts';
export { acceptTrigger } from './operations/accept-trigger.ts';
export type { AcceptTriggerOutcome } from './operations/accept-trigger.ts';
export { acceptTriggerBatch, mayAcceptSingly } from './operations/accept-trigger-batch.ts';
export type { BatchTriggerOutcome } from './operations/accept-trigger-batch.ts';
export { deleteFlow } from './operations/delete-flow.ts';
export { findWebhookFlows } from './operations/find-webhook-flow.ts';
export type { WebhookAddress, WebhookFlow } from './operations/find-webhook-flow.ts';
export { findRepeatedTrigger } from './operations/find-repeated-trigger.ts';
export { finishExecution } from './operations/finish-execution.ts';
export type { ExecutionEnd } from './operations/finish-execution.ts';
export { findExecution, listExecutions } from './operations/read-executions.ts';
export { findFlow, findRunnableFlow, listFlows } from './operations/read-flows.ts';
export { retryExecution } from './operations/retry-execution.ts';
export {
  claimExecution,
  extendLease,
  failLostExecution,
  findNextWaiting,
  listStalePending,
  loadWorkspaceFiles,
  markRunning,
} from './operations/run-execution.ts';
export type { ClaimOutcome } from './operations/run-execution.ts';
export { createFlow, openFlowSecret, rotateFlowSecret, updateFlow } from './operations/save-flow.ts';
export type { FlowFields } from './operations/save-flow.ts';
export { stopExecution } from './operations/stop-execution.ts';
export { EXECUTION_STATUSES, FAILURE_CATEGORIES, isTerminal } from './rules/execution-status.ts';
export type { ExecutionStatus, FailureCategory, TerminalStatus } from './rules/execution-status.ts';
export { buildEventDetails } from './rules/event-details.ts';
export { digest, readIdempotencyKey } from './rules/idempotency.ts';
export { renderTemplate } from './rules/render-template.ts';
export type { RenderOutcome, TemplateContext } from './rules/render-template.ts';
export { unwrapManualPayload } from './rules/trigger-payload.ts';
export { hashWebhookSecret, matchesWebhookSecret } from './rules/webhook-secret.ts';
export { validateWorkspaceFiles } from './rules/workspace-files.ts';
export type { WorkspaceFile, WorkspaceFilesOutcome } from './rules/workspace-files.ts';
export type { BatchTrigger } from './store/trigger-batch.store.ts';
export { purgeIdempotencyKeys } from './store/idempotency.store.ts';
export type { ExecutionRow, FlowRow, RunnableFlow } from './schema.ts';
