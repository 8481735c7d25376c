export const CHANNEL_KINDS = ['webhook', 'slack', 'mattermost'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

export const WORKFLOW_MODES = ['human', 'ai_first'] as const;
export type WorkflowMode = (typeof WORKFLOW_MODES)[number];

/** Where a workflow tells of its requests. */
export interface ChannelConfig {
  readonly kind: ChannelKind;
  readonly url: string;
}

/** Whom a workflow tells. Their addresses may be credentials. */
export interface Receivers {
  readonly channelConfigs: readonly ChannelConfig[];
  /** The older way to name one receiver. */
  readonly approvalWebhookUrl: string | null;
}

export interface SealedReceivers {
  readonly sealed: Buffer;
  /** With origins for addresses: known without a key. */
  readonly shown: Receivers;
}

/** As they stand in the row of a workflow. */
export interface StoredReceivers {
  /** None, or in clear by a release that sealed none. While they are there they are the newer ones. */
  readonly clear: Receivers | null;
  readonly sealed: Buffer | null;
  readonly shown: Receivers;
}

/** What people set. */
export interface WorkflowFields extends Receivers {
  readonly name: string;
  readonly description: string;
  /** With no roles either: everybody who may decide approvals. */
  readonly approverUserIds: readonly string[];
  readonly approverRoles: readonly string[];
  /** Approvals by different people that approve a request; one decline declines it. */
  readonly quorum: number;
  readonly expiresSeconds: number;
  /** The longest a caller's connection waits for the outcome. */
  readonly approvalWaitSeconds: number;
  readonly requireComment: boolean;
  /** Whether the person whose call it is may vote. */
  readonly allowSelfApproval: boolean;
  /** After which the escalation users may vote, too; null: never. */
  readonly escalateAfterSeconds: number | null;
  readonly escalationUserIds: readonly string[];
  /** Whether the people asked get mail; null: where the deployment sends any. */
  readonly email: boolean | null;
  /** Of calls whose rule names no workflow. */
  readonly isDefault: boolean;
  /** Whether a model is asked before people are. */
  readonly mode: WorkflowMode;
  readonly aiModelId: string | null;
  /** What the model goes by. */
  readonly aiGuidelines: string;
  /** From which confidence on the model decides, 0 to 1. */
  readonly aiConfidenceThreshold: number;
}

/** Approves everything while it lasts. */
export interface Bypass {
  readonly until: Date;
  readonly reason: string;
  readonly userId: string;
}

export interface ApprovalWorkflow extends Omit<WorkflowFields, keyof Receivers> {
  readonly id: string;
  readonly accountId: string;
  readonly receivers: StoredReceivers;
  /** The end of the secret of its receivers, null without any. */
  readonly webhookSecretHint: string | null;
  /** Null also when it is over. */
  readonly bypass: Bypass | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WorkflowKey {
  readonly accountId: string;
  readonly id: string;
}

/** What a workflow is until somebody says otherwise. */
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

/** Addresses of the chat rooms, each once. */
export function listChatUrls({ channelConfigs }: Receivers): string[] {
  return [...new Set(channelConfigs.filter(({ kind }) => kind !== 'webhook').map(({ url }) => url))];
}

/** Addresses of the receivers of events, each once. */
export function listWebhookUrls({ channelConfigs, approvalWebhookUrl }: Receivers): string[] {
  const urls = channelConfigs.filter(({ kind }) => kind === 'webhook').map(({ url }) => url);
  return [...new Set(approvalWebhookUrl === null ? urls : [...urls, approvalWebhookUrl])];
}
