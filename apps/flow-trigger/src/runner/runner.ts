import type { Workspace } from '../steps/prepare-workspace.ts';

/** One program of a run: a git clone, a setup command, the agent, a tool of the built-in agent. It starts in the workspace. */
export interface RunnerCommand {
  /** Program and arguments; never passed through a shell by the runner. */
  readonly argv: readonly [string, ...string[]];
  /** Variables the program gets besides those of its sandbox (the search path and its home). */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Aborted to end the program together with everything it started. */
  readonly signal: AbortSignal;
  /** Called for each line of output; the program waits while it is pending. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => Promise<void>;
}

export type RunnerExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'not_started'; readonly reason: string };

/** Where the programs of one execution run. */
export interface Sandbox {
  /** Paths of the workspace as the programs see them. */
  readonly paths: { readonly workspace: string; readonly promptFile: string };
  run(command: RunnerCommand): Promise<RunnerExit>;
  /** Ends whatever still runs in it. */
  close(): Promise<void>;
}

export interface SandboxRequest {
  readonly executionId: string;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

/** `FLOW_RUNNER` chooses the implementation. */
export interface Runner {
  /** @throws RunFailure when no sandbox can be had. */
  open(request: SandboxRequest): Promise<Sandbox>;
  /** Ends what a worker that is gone may have left running of an execution. */
  discard(executionId: string): Promise<void>;
  stop(): void;
}
