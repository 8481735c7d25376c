import type { Sandbox } from '../../runner/runner.ts';

/** Environment of the tools. */
export interface ToolContext {
  /** Canonical path of the workspace on this machine. */
  readonly directory: string;
  readonly sandbox: Sandbox;
  /** Environment variables of the programs that the shell tool starts. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Writes a line to the log of the run. */
  readonly note: (text: string) => Promise<void>;
}

/** `failed` is a result for the model, which may try something else; an exception ends the run. */
export type ToolResult =
  { readonly kind: 'done'; readonly text: string } | { readonly kind: 'failed'; readonly text: string };

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, which are an object. */
  readonly parameters: object;
  /** Whether the tool's implementation itself records the call in the session. */
  readonly isRecorded?: boolean;
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}

/** Number of bytes to which long tool output is cut; the model can read the rest of a file with another call. */
export const MAX_TOOL_TEXT_BYTES = 32 * 1024;

export function fail(text: string): ToolResult {
  return { kind: 'failed', text };
}
