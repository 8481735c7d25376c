/** A call of a tool as it was recorded, with what its session says of the caller. */
export interface RecordedToolCall {
  readonly id: string;
  readonly sessionId: string;
  readonly occurredAt: Date;
  /** As its agent named it. */
  readonly toolName: string;
  /** Undefined where they were not captured. */
  readonly arguments: unknown;
  readonly session: { readonly sourceType: string };
  readonly agent: { readonly id: string; readonly name: string } | undefined;
  readonly apiKeyId: string | null;
  readonly execution: { readonly id: string; readonly flowId: string } | undefined;
}
