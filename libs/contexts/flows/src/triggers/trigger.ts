import type { AuditEntry } from '@steward/audit';
import type { WorkspaceFile } from '../executions/rules/workspace-files.ts';
import type { ExecutionRow, FlowRow, FlowTrigger } from '../schema.ts';

/** Fields of a flow that acceptance needs. */
export type TriggeredFlow = Pick<FlowRow, 'id' | 'account_id' | 'webhook_config'>;

/** A validated request to start a flow, ready to be written. */
export interface Trigger {
  readonly flowId: string;
  /** Account of the flow, used for the hint; the rows get the account from the flow itself. */
  readonly accountId: string;
  readonly type: FlowTrigger;
  /**
   * Hash of the secret in the request, which must still be the flow's secret when the row is written. Null if the
   * caller had a token.
   */
  readonly secretHash: Buffer | null;
  /** `trigger_event_details` as a JSON string. */
  readonly details: string;
  readonly files: readonly WorkspaceFile[];
  /**
   * The path from which the dedupe value was read, which must still be the flow's path when the row is written; null
   * for a trigger that never joins or replaces an active execution.
   */
  readonly dedupePath: string | null;
  /** Dedupe value: while an execution with the same value is active, the trigger joins or replaces it. */
  readonly dedupeValue: string | null;
  /** Digests of key and body; if set, a trigger with the same key and body returns the first execution for 24 hours. */
  readonly idempotency?: { readonly keyDigest: Buffer; readonly bodyDigest: Buffer } | undefined;
  readonly retryOfExecutionId: string | null;
  /** Trace of the request; the execution gets a separate span in this trace. */
  readonly traceparent: string;
  /** Facts for the audit row of an accepted trigger; null if the caller writes that row. */
  readonly audit: (Pick<AuditEntry, 'actor' | 'source'> & { readonly requestId: string }) | null;
}

export type TriggerOutcome =
  | { readonly kind: 'accepted' | 'deduplicated'; readonly execution: Pick<ExecutionRow, 'id' | 'status'> }
  | { readonly kind: 'key_reused' }
  /**
   * Nothing was written: the flow is deleted, disabled or locked, or was changed since it was read, or the stored use
   * of the key could not be read. The caller reads the flow again and repeats the decision.
   */
  | { readonly kind: 'flow_changed' };
