import type { SessionEndReason } from '@steward/contracts';
import type { ContentObjects } from '../objects/content-objects.ts';

/**
 * Origin of the title: set by a client, set by the agent and imported, or generated from the content, by rule or by a
 * model.
 */
export type TitleOrigin = 'client' | 'imported' | 'generated';

/** One session of an agent, in the form in which the operations return it. */
export interface RuntimeSession {
  readonly id: string;
  readonly accountId: string;
  readonly sessionSourceType: string;
  readonly sessionSourceId: string;
  readonly sessionReference: string | null;
  readonly runtimePrincipalType: string | null;
  readonly runtimePrincipalId: string | null;
  readonly runtimePrincipalName: string | null;
  /** True if a key bound to this agent opened the session; otherwise the caller named the agent. */
  readonly principalVerified: boolean;
  readonly flowId: string | null;
  readonly executionId: string | null;
  readonly apiKeyId: string | null;
  readonly title: string | null;
  readonly titleOrigin: TitleOrigin | null;
  readonly titleHint: string | null;
  /**
   * True if the words of `titleHint` also occur in the session from which this one was forked. In this case, a title
   * that is generated from the words is found only in that session.
   */
  readonly isHintCopied: boolean;
  /** Value of `titleHint` for which a model last responded to the request for a title. */
  readonly titleAskedOf: string | null;
  readonly summary: string | null;
  /** Labels of the session, each as `key:value`, in the given order. */
  readonly labels: readonly string[];
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
  readonly endedAt: Date | null;
  readonly endReason: SessionEndReason | null;
  /** True if the session is protected from deletion (SESS-22). */
  readonly legalHold: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Deployment settings that apply to every write to a session. */
export interface SessionWriteOptions {
  /** Value of `SESSION_SEARCH_INDEX_ENABLED`: if false, content is stored without chunks. */
  readonly indexEnabled: boolean;
  /** Value of `MODEL_GATEWAY_CAPTURE_CONTENT`: if false, no bodies of interactions are stored. */
  readonly captureContent: boolean;
  /**
   * Object store with large bodies; bodies are read from it if copies of a rewritten entry are indexed again (IMP-13).
   */
  readonly contentObjects?: ContentObjects | undefined;
  /** Value of `WEBHOOK_MAX_PENDING_PER_ACCOUNT`: maximum number of pending deliveries per account. */
  readonly maxPendingPerAccount: number;
}
