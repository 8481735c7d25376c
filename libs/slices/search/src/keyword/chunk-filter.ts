import type { SourceKind } from '@steward/contracts';

/** Every key narrows the search; undefined does not. */
export interface ChunkFilter {
  /** Inclusive. */
  readonly startDate?: Date | undefined;
  /** Exclusive. */
  readonly endDate?: Date | undefined;
  readonly sourceKind?: SourceKind | undefined;
  readonly modelAlias?: string | undefined;
  readonly providerName?: string | undefined;
  readonly runtimePrincipalId?: string | undefined;
  /** Beside that one, where it was merged with others (AGT-9): found out for each search, and part of no cursor. */
  readonly mergedPrincipalIds?: readonly string[] | undefined;
  readonly apiKeyId?: string | undefined;
  readonly flowId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Every other session: an agent that searches is found by what it just asked. */
  readonly exceptSessionId?: string | undefined;
  readonly role?: string | undefined;
  /** Tool of a tool call. */
  readonly toolName?: string | undefined;
  /** Of an interaction or a tool call; of a line of a flow's log its level. */
  readonly status?: string | undefined;
  /** Of the session. */
  readonly sessionSourceType?: string | undefined;
  /** `key:value`, of the session. */
  readonly label?: string | undefined;
}
