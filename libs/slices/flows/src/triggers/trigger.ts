import type { AuditEntry } from '@steward/slice-audit';
import type { WorkspaceFile } from '../executions/rules/workspace-files.ts';
import type { ExecutionRow, FlowRow, FlowTrigger } from '../schema.ts';

/** What acceptance needs of a flow. */
export type TriggeredFlow = Pick<FlowRow, 'id' | 'account_id' | 'webhook_config'>;

/** One request to start a flow, read and checked: what is left to do is to write it. */
export interface Trigger {
  readonly flowId: string;
  /** For the hint; the rows take it from the flow. */
  readonly accountId: string;
  readonly type: FlowTrigger;
  /** Of the secret that was presented: it has to be the flow's when the row is written, too. Null: the caller had a token. */
  readonly secretHash: Buffer | null;
  /** `trigger_event_details` as JSON text. */
  readonly details: string;
  readonly files: readonly WorkspaceFile[];
  /** The path the value was read by has to be the flow's when the row is written; null for a trigger that never joins another. */
  readonly dedupePath: string | null;
  /** While an execution with it is active, the trigger joins that one or takes its place. */
  readonly dedupeValue: string | null;
  /** With it, the same key within 24 hours answers the first execution. */
  readonly idempotency?: { readonly keyDigest: Buffer; readonly bodyDigest: Buffer } | undefined;
  readonly retryOfExecutionId: string | null;
  /** Of the request; the execution gets a span of its own in its trace. */
  readonly traceparent: string;
  /** The audit row of an accepted trigger; null when the caller writes one. */
  readonly audit: (Pick<AuditEntry, 'actor' | 'source'> & { readonly requestId: string }) | null;
}

export type TriggerOutcome =
  | { readonly kind: 'accepted' | 'deduplicated'; readonly execution: Pick<ExecutionRow, 'id' | 'status'> }
  | { readonly kind: 'key_reused' }
  /** Nothing was written: the flow is gone, disabled, locked, or not as it was read. Read it again and decide anew. */
  | { readonly kind: 'flow_changed' };
