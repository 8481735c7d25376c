export const APPROVAL_STATUSES = ['pending', 'approved', 'declined', 'expired', 'cancelled'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];
export type ApprovalOutcome = Exclude<ApprovalStatus, 'pending'>;

export const VOTE_DECISIONS = ['approve', 'decline'] as const;
export type VoteDecision = (typeof VOTE_DECISIONS)[number];
export type VoteChannel = 'api' | 'email';

/** The actor that ended a request. */
export interface ApprovalActor {
  readonly kind: 'user' | 'ai' | 'bypass' | 'system';
  readonly id: string | null;
  /** Reason of the bypass. */
  readonly reason?: string;
  /** Alias of the model, if the actor is an AI. */
  readonly model?: string;
  /** Confidence of the model, from 0 to 1. */
  readonly confidence?: number;
}

export const AI_DECISIONS = ['approve', 'decline', 'ask_people'] as const;
export type AiDecision = (typeof AI_DECISIONS)[number];

/** The verdict of a model that was asked first; if there is no decision, `reason` states why. */
export interface AiVerdict {
  readonly decision: AiDecision | null;
  /** Confidence from 0 to 1. */
  readonly confidence: number | null;
  readonly reason: string;
}

/** The rule that held the call, as named in events. */
export interface ApprovalRule {
  readonly source: 'policy' | 'default';
  readonly rule_id: string | null;
  readonly rule_name: string | null;
  readonly expression: string | null;
}

export interface ApprovalVote {
  readonly userId: string;
  readonly display: string;
  readonly decision: VoteDecision;
  readonly comment: string | null;
  readonly via: VoteChannel;
  readonly at: Date;
}

/** Facts that a request stores about its call, as provided by the surface. */
export interface CallFacts {
  readonly accountId: string;
  readonly requesterUserId: string;
  readonly apiKeyId: string | null;
  readonly managedAgentId: string | null;
  readonly managedAgentName: string | null;
  readonly runtimeSessionId: string | null;
  readonly executionId: string | null;
  readonly toolName: string;
  readonly server: string;
  /** Hash of the tool description, in hexadecimal; null if the tool does not run through the service. */
  readonly definitionHash: string | null;
  readonly summary: string;
  readonly reasoning: string | null;
  readonly humanOnly: boolean;
  readonly rule: ApprovalRule | null;
  readonly policyVersion: number;
}

export interface ApprovalRequest extends CallFacts {
  readonly id: string;
  readonly workflowId: string;
  readonly status: ApprovalStatus;
  /** Arguments of the call, without credentials. */
  readonly arguments: unknown;
  readonly quorum: number;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly escalatedAt: Date | null;
  readonly resolvedAt: Date | null;
  readonly actor: ApprovalActor | null;
  readonly comment: string | null;
  readonly webhookPostedAt: Date | null;
  readonly webhookError: string | null;
  /**
   * Outcome of the review by a model, even if the model made no decision; null if no review was planned, or it has not
   * ended yet.
   */
  readonly ai: AiVerdict | null;
}

export interface RequestKey {
  readonly accountId: string;
  readonly id: string;
}
