import type { SourceKind } from '@steward/contracts';

/** Filter of a search: every key that is set narrows the search; undefined values do not. */
export interface ChunkFilter {
  /** Start of the period, inclusive. */
  readonly startDate?: Date | undefined;
  /** End of the period, exclusive. */
  readonly endDate?: Date | undefined;
  readonly sourceKind?: SourceKind | undefined;
  readonly modelAlias?: string | undefined;
  readonly providerName?: string | undefined;
  readonly runtimePrincipalId?: string | undefined;
  /**
   * Agents merged into the agent of the filter, which are included (AGT-9); they are determined for each search and are
   * not part of a cursor.
   */
  readonly mergedPrincipalIds?: readonly string[] | undefined;
  readonly apiKeyId?: string | undefined;
  readonly flowId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Session that is excluded, because a searching agent would otherwise find its own query. */
  readonly exceptSessionId?: string | undefined;
  readonly role?: string | undefined;
  /** Tool that was called. */
  readonly toolName?: string | undefined;
  /** Status of an interaction, a tool call or a message, or level of a line in a flow's log. */
  readonly status?: string | undefined;
  /** Source type of the session. */
  readonly sessionSourceType?: string | undefined;
  /** A label of the session, as `key:value`. */
  readonly label?: string | undefined;
}
