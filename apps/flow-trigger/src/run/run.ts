import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { Clock } from '@steward/async';
import type { Logger } from '@steward/process';
import type { SecretBox } from '@steward/crypto';
import type { ClaimedExecution, ExecutionEnd, OpenedRun, WorkspaceFilesOutcome } from '@steward/flows';
import type { SessionWriteOptions } from '@steward/sessions';
import type { EvidenceOptions } from '../evidence/capture-evidence.ts';
import type { FinishedRun } from './run-metrics.ts';
import type { Runner, Sandbox } from '../runner/runner.ts';
import type { CloneOptions } from '../workspace/git-command.ts';
import type { Workspace } from '../workspace/prepare-workspace.ts';
import type { ExecutionLog } from './execution-log.ts';

/*
 * Four levels, each with its own term: an execution lasts from its claim to its end; the attempt is the part that runs
 * on this machine; the attempt has steps; a step starts processes.
 */

/** Dependencies of a worker that runs executions. */
export interface RunDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runner: Runner;
  readonly options: SessionWriteOptions;
  readonly workerId: string;
  readonly workDirectory: string;
  readonly leaseSeconds: number;
  /** Number of executions that this worker runs at once. */
  readonly places: number;
  /** Number of executions that one account may run at once, over all workers. */
  readonly accountLimit: number;
  readonly maxLogBytes: number;
  readonly clone: CloneOptions;
  readonly evidence: EvidenceOptions;
  /** Decrypts the secrets of flows. */
  readonly flowBox: Pick<SecretBox, 'open'>;
  /** Base URL of the API for agents; undefined if agents have no access to the API. */
  readonly apiUrl: string | undefined;
  /** Called once for each execution that this worker ran, unless the worker detected a lost lease during the run. */
  readonly onFinished: (run: FinishedRun) => void;
}

/** Reason why an execution was ended from outside. */
export type EndReason = 'timeout' | 'stopped' | 'lease_lost' | 'shutdown';

export type Outcome = Omit<ExecutionEnd, 'now'>;

export interface Attempt {
  readonly execution: ClaimedExecution;
  /** Token of the lease; every write to the execution includes it. */
  readonly token: string;
  readonly log: ExecutionLog;
  /** Aborted by a timeout, a stop, a shutdown or a lost lease. */
  readonly signal: AbortSignal;
  readonly end: (reason: EndReason) => void;
}

/** Data of an attempt. */
export interface OpenedAttempt extends Pick<OpenedRun, 'agent' | 'flow' | 'setupEnvironment' | 'networkSecrets'> {
  readonly files: WorkspaceFilesOutcome;
}

/** Data that the steps of an attempt share. */
export interface StepContext extends Pick<Attempt, 'execution' | 'log' | 'signal'>, OpenedAttempt {
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
  /** Returns the environment variables that only the agent gets: its token for the API, and the URL of the API. */
  readonly agentEnvironment: () => Promise<Readonly<Record<string, string>>>;
  /**
   * Called with the prompt before the agent starts; throws if the run was ended or this worker lost the lease in the
   * meantime.
   */
  readonly onRunning: (prompt: string) => Promise<void>;
}
