/**
 * Policies context: documents, their versions and their lint; the decision on a tool call (`decide`), which every
 * surface uses; the history of calls; backtests; filters for the webhooks of flows.
 *
 * Not here: HTTP of any kind, the caller (identity), the handling of a held call (approvals), tool servers. Used by,
 * among others: the API of policies; the use case of tool calls, which decides calls; api-gateway, which omits tools
 * that are always denied; the API of flows, which checks and evaluates filters.
 */
export { policiesMigrations } from '../migrations/index.ts';
export { checkDocument, type CheckedDocument } from './document/rules/check-document.ts';
export { restoreChecked, type DocumentReport, type DocumentWork } from './document-work.ts';
export { diffDocuments, type DocumentChange } from './document/rules/diff-documents.ts';
export type { DocumentProblem } from './document/rules/document-text.ts';
export {
  MAX_DOCUMENT_BYTES,
  POLICY_ACTIONS,
  PolicyDocumentSchema,
  type PolicyAction,
  type PolicyDocument,
} from './document/rules/policy-document.ts';
export { listConditionNames } from './condition/rules/list-condition-names.ts';
export {
  checkEventFilter,
  evaluateEventFilter,
  type FilterOutcome,
  type FilterVariables,
} from './condition/event-filter.ts';
export { compilePolicy, type CompiledPolicy } from './decision/rules/compile-policy.ts';
export { deniesAlways } from './decision/rules/denies-always.ts';
export { decide, traceDecision } from './decision/rules/decide.ts';
export { readToolName, type ReadToolName } from './decision/rules/read-tool-name.ts';
export type { Decision, DecidingRule, RuleTrace, ToolCallFacts } from './decision/rules/decision.ts';
export { describeCounted, noteCall, readHistory } from './history/store/recent-call.store.ts';
export { createPolicyReader, type PolicyReader } from './decision/operations/policy-reader.ts';
export { applyPolicy, type ApplyOutcome, type PolicyApplication } from './versions/operations/apply-policy.ts';
export { readPolicy, readVersion } from './versions/operations/read-policy.ts';
export { rollbackPolicy, type RollbackOutcome } from './versions/operations/rollback-policy.ts';
export { listVersions, selectPolicyVersion } from './versions/store/policy-version.store.ts';
export type { FullPolicyVersion, PolicyVersion } from './versions/policy-version.ts';
export { requestBacktest } from './backtests/operations/request-backtest.ts';
export { runBacktestBatch, type BacktestDeps, type BacktestStep } from './backtests/operations/run-backtest-batch.ts';
export { MAX_BACKTEST_CALLS, type Backtest } from './backtests/backtest.ts';
export { DUE_BACKTESTS, findBacktest, postponeBacktest } from './backtests/store/backtest.store.ts';
