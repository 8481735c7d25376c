import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { Clock } from '@steward/async';
import type { Logger } from '@steward/process';
import type { SecretBox } from '@steward/crypto';
import type { ClaimedExecution, ExecutionEnd, OpenedRun, WorkspaceFilesOutcome } from '@steward/flows';
import type { SessionWriteOptions } from '@steward/sessions';
import type { EvidenceOptions } from '../evidence/capture-evidence.ts';
import type { Runner, Sandbox } from '../runner/runner.ts';
import type { CloneOptions } from '../workspace/git-command.ts';
import type { Workspace } from '../workspace/prepare-workspace.ts';
import type { ExecutionLog } from './execution-log.ts';

/*
 * Four levels, each with its word: an execution is the whole, from its claim to its end; the attempt is what this machine does
 * for it; the attempt has steps; a step starts processes.
 */

/** What a worker runs executions with. */
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
  /** Executions this worker runs at once. */
  readonly places: number;
  /** Executions one account may run at once, over all workers. */
  readonly accountLimit: number;
  readonly maxLogBytes: number;
  readonly clone: CloneOptions;
  readonly evidence: EvidenceOptions;
  /** Opens what the agents of flows are given. */
  readonly flowBox: Pick<SecretBox, 'open'>;
  /** Where agents reach the API; undefined tells them nothing. */
  readonly apiUrl: string | undefined;
}

/** Why an execution was ended from outside. */
export type EndReason = 'timeout' | 'stopped' | 'lease_lost' | 'shutdown';

export type Outcome = Omit<ExecutionEnd, 'now'>;

export interface Attempt {
  readonly execution: ClaimedExecution;
  /** Of the lease: every write of the execution names it. */
  readonly token: string;
  readonly log: ExecutionLog;
  /** Aborted by timeout, stop, shutdown or a lost lease. */
  readonly signal: AbortSignal;
  readonly end: (reason: EndReason) => void;
}

/** What an attempt is given. */
export interface OpenedAttempt extends Pick<OpenedRun, 'agent' | 'flow' | 'setupEnvironment' | 'networkSecrets'> {
  readonly files: WorkspaceFilesOutcome;
}

/** What the steps of an attempt share. */
export interface StepContext extends Pick<Attempt, 'execution' | 'log' | 'signal'>, OpenedAttempt {
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
  /** Variables for the agent alone: a credential of its own. */
  readonly agentEnvironment: () => Promise<Readonly<Record<string, string>>>;
  /** Called with the prompt before the agent starts; throws when the execution is not this worker's any more. */
  readonly onRunning: (prompt: string) => Promise<void>;
}
