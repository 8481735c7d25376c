/**
 * Flows context: flows, their triggers and their executions. It contains the rules for payloads, workspace files and
 * prompts, the acceptance of triggers in one transaction, leases, and the end of a run.
 *
 * Folders: `flows` (definition, secrets), `triggers` (acceptance), `executions` (rows and rules of a run), `schedules`
 * (due times and their outcomes), `sources` (how senders of webhooks sign and name their requests), `arrivals`
 * (requests from sources), `templates` (ready-made flows), `evidence` (where archives of evidence are stored).
 * `executions`, `arrivals` and `evidence` use none of the other folders.
 *
 * Not here: HTTP; running an execution (flow-trigger). Used by: api-gateway; flow-trigger; the APIs of flows and of
 * several other contexts; the use cases for tool calls and the kill switch.
 */
export { flowsMigrations } from '../migrations/index.ts';
export { createEvidenceStores, listEvidenceSecrets, type EvidenceStores } from './evidence/create-evidence-stores.ts';
export { ageReceipt, isEvidenceKey, locateEvidence } from './evidence/evidence-file.ts';
export { evidenceSettings } from './evidence/evidence-settings.ts';
export { acceptTriggers, isAlone, mayAcceptSingly } from './triggers/operations/accept-triggers.ts';
export { buildTrigger, type BuildTriggerOutcome } from './triggers/rules/build-trigger.ts';
export type { Trigger, TriggeredFlow, TriggerOutcome } from './triggers/trigger.ts';
export { deleteFlow } from './flows/operations/delete-flow.ts';
export { findWebhookFlows, type WebhookAddress } from './triggers/operations/find-webhook-flow.ts';
export type { WebhookFlow } from './flows/store/webhook-flow.store.ts';
export { findRepeatedTrigger } from './triggers/operations/find-repeated-trigger.ts';
export { finishExecution, type ExecutionEnd } from './executions/operations/finish-execution.ts';
export { findExecution, listExecutions } from './executions/store/execution.store.ts';
export { readBacklog } from './executions/store/backlog.store.ts';
export { countRunningExecutions } from './executions/store/running-count.store.ts';
export { findFlow, findRunnableFlow, listFlows, listFlowsOfModel } from './flows/store/flow.store.ts';
export { retryExecution } from './triggers/operations/retry-execution.ts';
export { ClaimError, claimExecution, type ClaimedExecution } from './executions/operations/claim-execution.ts';
export { failLostExecution } from './executions/operations/fail-lost-execution.ts';
export { loadWorkspaceFiles } from './executions/operations/load-workspace-files.ts';
export { findRunningAgents } from './executions/store/running-agent.store.ts';
export { enterLease, extendLease, listEndedExecutions, markRunning } from './executions/store/lease.store.ts';
export { saveSecret } from './flows/operations/save-secret.ts';
export { deleteSecret, findSecret, listSecrets } from './flows/store/secret.store.ts';
export { openRun, type OpenedRun } from './flows/operations/open-run.ts';
export { FLOW_DEFAULTS, type FlowFields } from './flows/flow-fields.ts';
export {
  createFlow,
  openFlowSecret,
  rotateFlowSecret,
  updateFlow,
  type FlowBoxes,
} from './flows/operations/save-flow.ts';
export { sealStoredSecrets } from './flows/operations/seal-stored-secrets.ts';
export {
  readAgentConfig,
  type AgentSettings,
  type BuiltinSettings,
  type CommandSettings,
} from './flows/rules/agent-config.ts';
export {
  allowsDestination,
  mayCarrySecret,
  normalizeHost,
  readAllowedDestination,
  type AllowedDestination,
  type Destination,
  type NetworkSecret,
} from './flows/rules/network-allow.ts';
export { HIDDEN_VALUE } from './flows/rules/agent-secrets.ts';
export { splitCredentials } from './flows/rules/repository-credentials.ts';
export type { WorkspaceTool } from './flows/rules/workspace-tools.ts';
export { listSecretReferences, SECRET_NAME } from './flows/rules/secret-references.ts';
export { stopExecution, stopExecutionsOfAccount } from './executions/operations/stop-execution.ts';
export {
  assessVulnerabilities,
  VULNERABILITY_REASONS,
  type AssessedVulnerability,
} from './executions/rules/assess-vulnerabilities.ts';
export { describeReport } from './executions/rules/describe-report.ts';
export { vulnerabilityEventId } from './executions/operations/report-vulnerabilities.ts';
export {
  EXECUTION_STATUSES,
  FAILURE_CATEGORIES,
  isTerminal,
  type ExecutionStatus,
  type FailureCategory,
} from './executions/rules/execution-status.ts';
export { readIdempotencyKey } from './triggers/rules/idempotency.ts';
export { renderTemplate, type RenderOutcome } from './executions/rules/render-template.ts';
export { unwrapManualPayload } from './triggers/rules/trigger-payload.ts';
export { hashWebhookSecret } from './flows/rules/webhook-secret.ts';
export {
  namesRepositoryData,
  validateWorkspaceFiles,
  type WorkspaceFile,
  type WorkspaceFilesOutcome,
} from './executions/rules/workspace-files.ts';
export { listFlowTemplates } from './templates/flow-templates.ts';
export { openSigningSecrets } from './flows/operations/signing-secrets.ts';
export { findArrival, insertArrival, listArrivals } from './arrivals/arrival.store.ts';
export { buildArrival, type ArrivalFacts } from './arrivals/build-arrival.ts';
export { findIgnoredReason } from './sources/admit-event.ts';
export { keepHeaders, mayKeepHeader } from './sources/kept-headers.ts';
export { recogniseSource } from './sources/recognise-source.ts';
export type { SourceEvent, SourceHeaders, WebhookSource } from './sources/source.ts';
export { SOURCE_NAMES, SOURCES, type SourceName } from './sources/sources.ts';
export { flowsSealedColumns } from './flows/sealed-columns.ts';
export { retainExecutions } from './executions/operations/retain-executions.ts';
export { purgeIdempotencyKeys } from './triggers/store/idempotency.store.ts';
export { checkSchedule } from './schedules/rules/check-schedule.ts';
export { findNextDues, formatLocal } from './schedules/rules/due-times.ts';
export { hasSchedule, setSchedulePaused } from './schedules/operations/save-schedule.ts';
export { runDueSchedules, type ScheduleDeps } from './schedules/operations/run-due-schedules.ts';
export {
  findScheduledFlow,
  listDueTimes,
  listScheduledFlows,
  readScheduleClock,
  type ScheduledFlow,
} from './schedules/store/schedule.store.ts';
export {
  MAX_INTERVAL_SECONDS,
  MAX_JITTER_SECONDS,
  MIN_INTERVAL_SECONDS,
  OVERLAPS,
  SCHEDULE_DEFAULTS,
  type ScheduleConfig,
} from './schedules/schedule-config.ts';
export { FLOW_TRIGGERS } from './schema.ts';
export type {
  ArrivalRow,
  DueTimeRow,
  ExecutionRow,
  FlowRow,
  RunnableFlow,
  TriggerSource,
  WebhookOptions,
} from './schema.ts';
export { requireFlowQuota } from './flows/store/quota.store.ts';
