import type { Readable, Writable } from 'node:stream';
import type { NetworkRequest } from '../network/run-network.ts';
import type { FileOwner } from '../workspace/open-folder.ts';
import type { Workspace } from '../workspace/prepare-workspace.ts';

/** One program of a run: a git clone, a setup command, the agent, a tool of the built-in agent. It starts in the workspace. */
export interface RunnerCommand {
  /** Program and arguments; never passed through a shell by the runner. */
  readonly argv: readonly [string, ...string[]];
  /** Variables the program gets besides those of its sandbox (the search path and its home). */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Speaks with the program over its two streams, byte for byte, in place of `stdin` and the lines of its output. */
  readonly talk?: (stdin: Writable, stdout: Readable) => Promise<void>;
  /** A git clone, which may be of a repository there; other programs get empty temporary folders where that is possible. */
  readonly seesTemporaryFolders?: boolean;
  /** A git clone: it may reach the server of its repository. */
  readonly reachesRepository?: boolean;
  /** Aborted to end the program together with everything it started. */
  readonly signal: AbortSignal;
  /** Called for each line of output; the program waits while it is pending. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => Promise<void>;
}

export type RunnerExit =
  | { readonly kind: 'exited'; readonly code: number; readonly limit?: string }
  | {
      readonly kind: 'killed';
      readonly signal: string;
      /** What it had used up, with the name of the setting. */
      readonly limit?: string;
    }
  | { readonly kind: 'not_started'; readonly reason: string };

/** Where the programs of one execution run. */
export interface Sandbox {
  /** Paths of the workspace as the programs see them. */
  readonly paths: { readonly workspace: string; readonly promptFile: string };
  /** Whom the files of the programs belong to, when that is not the worker's user. */
  readonly owner?: FileOwner;
  /** Whether they have a network of their own, so that `network` of the request is in force. */
  readonly hasOwnNetwork: boolean;
  run(command: RunnerCommand): Promise<RunnerExit>;
  /** Ends whatever still runs in it. */
  close(): Promise<void>;
}

export interface SandboxRequest {
  readonly executionId: string;
  readonly workspace: Workspace;
  /** The run is over after this at the latest, whatever became of its worker. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** What they may reach where they have a network of their own. */
  readonly network: NetworkRequest;
}

/** `FLOW_RUNNER` chooses the implementation. */
export interface Runner {
  /** @throws RunFailure when no sandbox can be had. */
  open(request: SandboxRequest): Promise<Sandbox>;
  /** Ends what a worker that is gone may have left running of an execution. */
  discard(executionId: string): Promise<void>;
  /** Executions of which something is still there beside their folders, whoever started it. */
  list(): Promise<string[]>;
  stop(): void;
}
