/** A recorded tool call, with the facts that its session states about the caller. */
export interface RecordedToolCall {
  readonly id: string;
  readonly sessionId: string;
  readonly occurredAt: Date;
  /** The name used by its agent. */
  readonly toolName: string;
  /** Undefined if they were not captured. */
  readonly arguments: unknown;
  readonly session: { readonly sourceType: string };
  readonly agent: { readonly id: string; readonly name: string } | undefined;
  readonly apiKeyId: string | null;
  readonly execution: { readonly id: string; readonly flowId: string } | undefined;
}
