import type { ApprovalRequest } from '@steward/approvals';
import type { Decision, ToolCallFacts } from '@steward/policies';

/**
 * A call that is about to be made. The facts about its caller, such as the agent and the API key, are determined by the
 * service, not stated by the caller. A session that the caller names is one of these facts only if the caller may read
 * the session.
 */
export interface ToolCall extends Omit<ToolCallFacts, 'now'> {
  readonly accountId: string;
  /** Context that the caller may provide: it is reported and stored, but does not affect the decision. */
  readonly context: CallContext;
  /**
   * Id of the person to whom the credential belongs; for the agent of a flow, whose credential does not belong to a
   * person, the id of that agent.
   */
  readonly requesterUserId: string;
  /** Reason stated by the agent. */
  readonly reasoning: string | null;
  /** Id of the request; repeats with the same id and rule cause one denial event. */
  readonly correlationId: string;
  readonly traceparent: string;
  /**
   * True if the definition of the tool differs from the accepted one; the policy's default for changed tools then
   * applies as well.
   */
  readonly isToolChanged?: boolean;
  /**
   * Hash of the current tool definition: an approval is valid only for this definition. Undefined if it is not known.
   */
  readonly definitionHash?: string | undefined;
  /** Encrypts the data of a call that the service makes itself, for the request that holds it. */
  readonly seal?: (request: ApprovalRequest) => Buffer;
}

/** Session and execution of a call. It has been verified only that they belong to the account. */
export interface CallContext {
  readonly sessionId: string | undefined;
  readonly executionId: string | undefined;
}

export type ToolCallVerdict = { readonly decision: Decision } & (
  | { readonly kind: 'allowed' }
  | { readonly kind: 'denied' }
  /** The call may be made once: the approval has been used. */
  | { readonly kind: 'approved'; readonly request: ApprovalRequest }
  | { readonly kind: 'declined'; readonly request: ApprovalRequest }
  | {
      readonly kind: 'pending';
      readonly request: ApprovalRequest;
      /** The longest time that a connection should wait for the outcome. */
      readonly waitSeconds: number;
    }
);
