import type { SessionEndReason } from '@steward/contracts';

/** Whether a client set the title, the agent did and it was imported, or it was derived from the content when a list first showed the session. */
export type TitleOrigin = 'client' | 'imported' | 'generated';

/** One session of an agent as the operations answer it. */
export interface RuntimeSession {
  readonly id: string;
  readonly accountId: string;
  readonly sessionSourceType: string;
  readonly sessionSourceId: string;
  readonly sessionReference: string | null;
  readonly runtimePrincipalType: string | null;
  readonly runtimePrincipalId: string | null;
  readonly runtimePrincipalName: string | null;
  /** True when a key bound to this agent opened the session; else the agent is what the caller said. */
  readonly principalVerified: boolean;
  readonly flowId: string | null;
  readonly executionId: string | null;
  readonly apiKeyId: string | null;
  readonly title: string | null;
  readonly titleOrigin: TitleOrigin | null;
  readonly titleHint: string | null;
  /** These words stand in the session that this one was forked from, too: a title of them is found there. */
  readonly isHintCopied: boolean;
  /** The words of which a model was asked for a title. */
  readonly titleAskedOf: string | null;
  readonly summary: string | null;
  /** `key:value` each, in the order given. */
  readonly labels: readonly string[];
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
  readonly endedAt: Date | null;
  readonly endReason: SessionEndReason | null;
  /** It must not be deleted (SESS-22). */
  readonly legalHold: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The deployment's settings every write of a session follows. */
export interface SessionWriteOptions {
  /** `SESSION_SEARCH_INDEX_ENABLED`: off stores content without chunks. */
  readonly indexEnabled: boolean;
  /** `MODEL_GATEWAY_CAPTURE_CONTENT`: off keeps the bodies of interactions nowhere. */
  readonly captureContent: boolean;
  /** `WEBHOOK_MAX_PENDING_PER_ACCOUNT`. */
  readonly maxPendingPerAccount: number;
}
