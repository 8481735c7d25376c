import type { Readable, Writable } from 'node:stream';
import type { NetworkRequest } from '../network/run-network.ts';
import type { FileOwner } from '../workspace/open-folder.ts';
import type { Workspace } from '../workspace/prepare-workspace.ts';

/**
 * One program, for example a git clone, a setup command, the agent, a tool of the built-in agent, or a tool server. It
 * starts in the workspace.
 */
export interface RunnerCommand {
  /** Program and arguments; they are never interpreted by a shell. */
  readonly argv: readonly [string, ...string[]];
  /** Variables in addition to those of the sandbox (for example the search path and the home folder). */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /**
   * Communicates with the program over its standard input and output, byte for byte; replaces `stdin` and, for the
   * standard output, `onLine`.
   */
  readonly talk?: (stdin: Writable, stdout: Readable) => Promise<void>;
  /**
   * Set for a git clone, whose repository may be in a temporary folder; other programs get empty temporary folders if
   * possible.
   */
  readonly seesTemporaryFolders?: boolean;
  /** Set for a git clone: it may reach the server of its repository. */
  readonly reachesRepository?: boolean;
  /** Aborted to end the program together with all processes it started. */
  readonly signal: AbortSignal;
  /** Called for each line of output; the program waits while the promise is pending. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => Promise<void>;
}

export type RunnerExit =
  | { readonly kind: 'exited'; readonly code: number; readonly limit?: string }
  | {
      readonly kind: 'killed';
      readonly signal: string;
      /** The limit that was reached, and the setting that defines it. */
      readonly limit?: string;
    }
  | { readonly kind: 'not_started'; readonly reason: string };

/** Environment in which the programs of one execution run. */
export interface Sandbox {
  /** Paths of the workspace as the programs see them. */
  readonly paths: { readonly workspace: string; readonly promptFile: string };
  /** Owner of the programs' files, if it is not the worker's user. */
  readonly owner?: FileOwner;
  /** True if the programs have their own network, so that `network` of the request applies. */
  readonly hasOwnNetwork: boolean;
  run(command: RunnerCommand): Promise<RunnerExit>;
  /** Ends all processes that are still running in the sandbox. */
  close(): Promise<void>;
}

export interface SandboxRequest {
  readonly executionId: string;
  readonly workspace: Workspace;
  /** Maximum duration of the run, even if its worker crashes. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Destinations that the programs may reach if they have their own network. */
  readonly network: NetworkRequest;
}

/** Runs the programs of executions; `FLOW_RUNNER` chooses the implementation. */
export interface Runner {
  /** Creates the sandbox of an execution. @throws if no sandbox can be created */
  open(request: SandboxRequest): Promise<Sandbox>;
  /** Ends programs of an execution that a crashed worker may have left running. */
  discard(executionId: string): Promise<void>;
  /**
   * Lists the executions (of any worker) for which something other than folders still exists, for example a container.
   */
  list(): Promise<string[]>;
  stop(): void;
}

/** A runner, with its properties. */
export interface ChosenRunner {
  readonly runner: Runner;
  /** Human-readable description of how agents are separated from the service. */
  readonly separation: string;
  /** True if agents are separated at all. */
  readonly isApart: boolean;
  /** True if runs have their own network. */
  readonly hasOwnNetwork: boolean;
}
