import type { Sandbox } from '../../runner/runner.ts';

/** Where the tools work. */
export interface ToolContext {
  /** Canonical path of the workspace on this machine. */
  readonly directory: string;
  readonly sandbox: Sandbox;
  /** Variables of the programs the shell tool starts. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Writes a line into the log of the run. */
  readonly note: (text: string) => Promise<void>;
}

/** `failed` is an answer to the model, which may try something else; exceptions end the run. */
export type ToolResult =
  { readonly kind: 'done'; readonly text: string } | { readonly kind: 'failed'; readonly text: string };

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object. */
  readonly parameters: object;
  /** Who carries it out writes it into the session. */
  readonly isRecorded?: boolean;
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}

/** What a tool may put into the conversation; a model reads the rest with another call. */
export const MAX_TOOL_TEXT_BYTES = 32 * 1024;

export function fail(text: string): ToolResult {
  return { kind: 'failed', text };
}
