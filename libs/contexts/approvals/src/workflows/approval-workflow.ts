export const CHANNEL_KINDS = ['webhook', 'slack', 'mattermost'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

export const WORKFLOW_MODES = ['human', 'ai_first'] as const;
export type WorkflowMode = (typeof WORKFLOW_MODES)[number];

/** A channel through which a workflow sends notifications about its requests. */
export interface ChannelConfig {
  readonly kind: ChannelKind;
  readonly url: string;
}

/** Receivers of a workflow. Their addresses may be credentials. */
export interface Receivers {
  readonly channelConfigs: readonly ChannelConfig[];
  /** The older field, for a single receiver. */
  readonly approvalWebhookUrl: string | null;
}

export interface SealedReceivers {
  readonly sealed: Buffer;
  /** Receivers with only the origins of their addresses; readable without a key. */
  readonly shown: Receivers;
}

/** Receivers as stored in the row of a workflow. */
export interface StoredReceivers {
  /**
   * Plaintext from a release that did not seal receivers; empty if there are no receivers, null if they are sealed. If
   * there is plaintext, it is newer than the sealed value.
   */
  readonly clear: Receivers | null;
  readonly sealed: Buffer | null;
  readonly shown: Receivers;
}

/** Fields that users set. */
export interface WorkflowFields extends Receivers {
  readonly name: string;
  readonly description: string;
  /** Users who may decide; if there are neither users nor roles, everybody with permission to decide approvals may. */
  readonly approverUserIds: readonly string[];
  readonly approverRoles: readonly string[];
  /** Number of people who have to approve a request; a single decline is enough to decline it. */
  readonly quorum: number;
  readonly expiresSeconds: number;
  /** Maximum time that a caller's connection waits for the outcome. */
  readonly approvalWaitSeconds: number;
  readonly requireComment: boolean;
  /** Whether the requester may vote. */
  readonly allowSelfApproval: boolean;
  /** Time after which the escalation users may vote too; null: never. */
  readonly escalateAfterSeconds: number | null;
  readonly escalationUserIds: readonly string[];
  /** Whether approvers get email, if the deployment sends any; null has the same effect as true. */
  readonly email: boolean | null;
  /** Whether the workflow applies to calls whose rule names no workflow, or one that does not exist. */
  readonly isDefault: boolean;
  /** Whether a model is asked before people. */
  readonly mode: WorkflowMode;
  readonly aiModelId: string | null;
  /** Instructions for the model. */
  readonly aiGuidelines: string;
  /** Minimum confidence for a decision of the model, 0 to 1. */
  readonly aiConfidenceThreshold: number;
}

/** A period during which every new request is approved at once. */
export interface Bypass {
  readonly until: Date;
  readonly reason: string;
  readonly userId: string;
}

export interface ApprovalWorkflow extends Omit<WorkflowFields, keyof Receivers> {
  readonly id: string;
  readonly accountId: string;
  readonly receivers: StoredReceivers;
  /** Last characters of the receivers' secret; null if there is none. */
  readonly webhookSecretHint: string | null;
  /** Null if there is no bypass, or it has ended. */
  readonly bypass: Bypass | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WorkflowKey {
  readonly accountId: string;
  readonly id: string;
}

/** Default fields of a workflow. */
export const WORKFLOW_DEFAULTS: Omit<WorkflowFields, 'name'> = {
  description: '',
  approverUserIds: [],
  approverRoles: [],
  quorum: 1,
  expiresSeconds: 3600,
  approvalWaitSeconds: 120,
  requireComment: false,
  allowSelfApproval: false,
  escalateAfterSeconds: null,
  escalationUserIds: [],
  channelConfigs: [],
  approvalWebhookUrl: null,
  email: null,
  isDefault: false,
  mode: 'human',
  aiModelId: null,
  aiGuidelines: '',
  aiConfidenceThreshold: 0.8,
};

/** Returns the distinct URLs of the chat webhooks. */
export function listChatUrls({ channelConfigs }: Receivers): string[] {
  return [...new Set(channelConfigs.filter(({ kind }) => kind !== 'webhook').map(({ url }) => url))];
}

/** Returns the distinct addresses of the receivers of events. */
export function listWebhookUrls({ channelConfigs, approvalWebhookUrl }: Receivers): string[] {
  const urls = channelConfigs.filter(({ kind }) => kind === 'webhook').map(({ url }) => url);
  return [...new Set(approvalWebhookUrl === null ? urls : [...urls, approvalWebhookUrl])];
}
