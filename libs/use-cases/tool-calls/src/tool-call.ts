import type { ApprovalRequest } from '@steward/slice-approvals';
import type { Decision, ToolCallFacts } from '@steward/slice-policies';

/** A call that somebody is about to make: what the service knows of it and of its caller, not what the caller says of itself. */
export interface ToolCall extends Omit<ToolCallFacts, 'now'> {
  readonly accountId: string;
  /** What the call is of: the caller may name it, so that it is told and kept, and decides nothing. */
  readonly context: CallContext;
  /** Person whose credential it is; of a flow's agent its own id, which is no person's. */
  readonly requesterUserId: string;
  /** What the agent says why. */
  readonly reasoning: string | null;
  /** Id of the request that asks; repeats with one id and one rule are denied in one event. */
  readonly correlationId: string;
  readonly traceparent: string;
  /** The tool is another than it was when it was accepted: what the policy says of those holds, too. */
  readonly isToolChanged?: boolean;
  /** Of the tool as it is described now: an approval is for that alone. Undefined where the service does not know it. */
  readonly definitionHash?: string | undefined;
  /** Of a call that the service makes itself: what it needs for it, sealed for the request that holds it. */
  readonly seal?: (request: ApprovalRequest) => Buffer;
}

/** Of the account, and nothing more is known of them. */
export interface CallContext {
  readonly sessionId: string | undefined;
  readonly executionId: string | undefined;
}

export type ToolCallVerdict = { readonly decision: Decision } & (
  | { readonly kind: 'allowed' }
  | { readonly kind: 'denied' }
  /** Goes through this once: the approval is used up. */
  | { readonly kind: 'approved'; readonly request: ApprovalRequest }
  | { readonly kind: 'declined'; readonly request: ApprovalRequest }
  | {
      readonly kind: 'pending';
      readonly request: ApprovalRequest;
      /** The longest a connection should wait for the outcome. */
      readonly waitSeconds: number;
    }
);
