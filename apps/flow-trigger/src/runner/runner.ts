/** One program of a run: a git clone, a setup command or the agent. */
export interface RunnerCommand {
  /** Program and arguments; never passed through a shell by the runner. */
  readonly argv: readonly [string, ...string[]];
  readonly directory: string;
  /** All the variables the program gets. */
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

/** Where programs run. `FLOW_RUNNER` chooses the implementation. */
export interface Runner {
  run(command: RunnerCommand): Promise<RunnerExit>;
}
