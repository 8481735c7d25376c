import type { SourceKind } from '@steward/contracts';

/** Every key narrows the search; an undefined value does not. */
export interface ChunkFilter {
  /** Inclusive. */
  readonly startDate?: Date | undefined;
  /** Exclusive. */
  readonly endDate?: Date | undefined;
  readonly sourceKind?: SourceKind | undefined;
  readonly modelAlias?: string | undefined;
  readonly providerName?: string | undefined;
  readonly runtimePrincipalId?: string | undefined;
  /** In addition to that agent, agents merged into it (AGT-9): determined for each search, and not part of a cursor. */
  readonly mergedPrincipalIds?: readonly string[] | undefined;
  readonly apiKeyId?: string | undefined;
  readonly flowId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Excludes a session: a searching agent would find its own query. */
  readonly exceptSessionId?: string | undefined;
  readonly role?: string | undefined;
  /** Tool of a tool call. */
  readonly toolName?: string | undefined;
  /** Status of an interaction or a tool call; level of a line of a flow's log. */
  readonly status?: string | undefined;
  /** Source type of the session. */
  readonly sessionSourceType?: string | undefined;
  /** `key:value`, a label of the session. */
  readonly label?: string | undefined;
}
