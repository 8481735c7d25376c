import type { SessionContentKind } from '@steward/contracts';

/**
 * Why a body that was captured cannot be returned: `unavailable` if the object store does not respond, refuses the
 * request or is not configured for this process; `lost` if the object of the body is missing or has been altered, or if
 * the key of the account is missing or cannot be decrypted.
 */
export const CONTENT_ERRORS = ['unavailable', 'lost'] as const;
export type ContentError = (typeof CONTENT_ERRORS)[number];

/** One row of content as listed in the timeline. */
export interface SessionContent {
  readonly id: string;
  readonly runtimeSessionId: string;
  readonly kind: SessionContentKind;
  readonly occurredAt: Date;
  readonly role: string | null;
  readonly externalId: string | null;
  readonly apiKeyId: string | null;
  readonly modelAlias: string | null;
  readonly providerName: string | null;
  readonly toolName: string | null;
  readonly status: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly costUsd: number | null;
  /**
   * The original entry, if this row is a copy of an entry of another session. Statistics count only the original;
   * searches find the copy only if it differs.
   */
  readonly copyOf: { readonly id: string; readonly sessionId: string } | null;
  /** The stored body; null if it was not captured, or if there is a `contentError`. */
  readonly content: unknown;
  readonly contentError: ContentError | null;
  readonly contentCaptured: boolean;
  readonly createdAt: Date;
}

/** A row of content without its body. */
export type ContentFacts = Omit<SessionContent, 'content' | 'contentError'>;
