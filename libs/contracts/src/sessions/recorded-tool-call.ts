/** A recorded tool call, with the properties of its session that describe the caller. */
export interface RecordedToolCall {
  readonly id: string;
  readonly sessionId: string;
  readonly occurredAt: Date;
  /** The tool name that the agent used. */
  readonly toolName: string;
  /** Arguments of the call; undefined if they were not captured. */
  readonly arguments: unknown;
  readonly session: { readonly sourceType: string };
  readonly agent: { readonly id: string; readonly name: string } | undefined;
  readonly apiKeyId: string | null;
  readonly execution: { readonly id: string; readonly flowId: string } | undefined;
}
