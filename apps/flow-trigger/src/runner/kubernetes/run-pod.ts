import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FileOwner } from '../../workspace/open-folder.ts';
import type { Workspace } from '../../workspace/prepare-workspace.ts';
import { writeInputFile } from '../../workspace/write-input-file.ts';
import { RunFailure } from '../../run/run-failure.ts';
import { CONTAINER_PATHS, renderVariables } from '../docker-arguments.ts';
import { shellQuote } from '../shell-quote.ts';
import type { RunnerCommand, RunnerExit } from '../runner.ts';
import { PodLog, type LogEntry } from './pod-log.ts';
import { readPodState, type PodState } from './pod-state.ts';
import type { ClusterRuns } from './cluster-runs.ts';

/** A program that runs in the pod. */
interface Running {
  readonly number: number;
  readonly command: RunnerCommand;
  readonly settle: (exit: RunnerExit) => void;
  readonly fail: (error: unknown) => void;
}

export interface RunPodOptions {
  readonly cluster: ClusterRuns;
  readonly job: string;
  readonly workspace: Workspace;
  readonly owner: FileOwner | undefined;
  readonly memory: string;
}

/**
 * Interval at which a pod is checked while a program runs; usually, the end of the log shows earlier that the pod has
 * ended.
 */
const LOOK_MS = 5000;

/** The pod of a run, from its start to its removal. Programs run in it one after the other. */
export class RunPod {
  readonly #options: RunPodOptions;
  readonly #log = new PodLog();
  readonly #end = new AbortController();
  #running: Running | undefined;
  #programs = 0;

  constructor(options: RunPodOptions) {
    this.#options = options;
    void this.#follow();
  }

  /** Runs a program. @throws RunFailure if the pod ends before the program, unless the pod exceeded its memory limit */
  async run(command: RunnerCommand): Promise<RunnerExit> {
    this.#programs += 1;
    const number = this.#programs;
    const ended = Promise.withResolvers<RunnerExit>();
    this.#running = { number, command, settle: ended.resolve, fail: ended.reject };
    const onAbort = (): void => ended.resolve({ kind: 'killed', signal: 'SIGKILL' });
    command.signal.addEventListener('abort', onAbort, { once: true });
    const looks = new AbortController();
    void this.#watch(looks.signal);
    try {
      await this.#write(number, command);
      return await ended.promise;
    } finally {
      looks.abort();
      command.signal.removeEventListener('abort', onAbort);
      this.#running = undefined;
      for (const kind of ['sh', 'stdin', 'ready'])
        await rm(resolve(this.#options.workspace.input, `program-${number}.${kind}`), { force: true });
    }
  }

  async remove(): Promise<void> {
    this.#end.abort();
    await this.#options.cluster.removeJob(this.#options.job);
  }

  /**
   * Writes the files of a program. Variables and arguments are passed in files, because other users may be able to read
   * the objects of the cluster.
   */
  async #write(number: number, { argv, environment, stdin = '' }: RunnerCommand): Promise<void> {
    const own = { HOME: CONTAINER_PATHS.home, TMPDIR: CONTAINER_PATHS.home, LANG: 'C.UTF-8' };
    const script = `${renderVariables({ ...environment, ...own })}exec ${argv.map(shellQuote).join(' ')}\n`;
    const { workspace, owner } = this.#options;
    const write = (kind: string, text: string): Promise<void> =>
      writeInputFile(workspace, { name: `program-${number}.${kind}`, text, owner });
    await write('stdin', stdin);
    await write('sh', script);
    await write('ready', '');
  }

  /** Reads the log until the pod is removed or has ended, and reconnects after a lost connection. */
  async #follow(): Promise<void> {
    const { cluster, job } = this.#options;
    const { signal } = this.#end;
    while (!signal.aborted) {
      try {
        const stream = await cluster.followLog(job, { since: this.#log.since, signal });
        await this.#log.read(stream, (entry) => this.#take(entry));
      } catch {
        // The connection was lost, or the pod was removed; the state of the pod shows which of these happened.
      }
      if (signal.aborted || (await this.#settleIfOver())) return;
      await delay(cluster.pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const wait = (): Promise<boolean> =>
      delay(LOOK_MS, true, { signal: AbortSignal.any([signal, this.#end.signal]) }).catch(() => false);
    let isOver = false;
    while (await wait()) {
      // The end is handled one check later, so that the rest of the log is read first.
      if (isOver) await this.#settleIfOver();
      isOver = (await this.#readState())?.kind === 'over';
    }
  }

  async #take(entry: LogEntry): Promise<void> {
    const running = this.#running;
    if (running?.number !== entry.program) return;
    if (entry.kind === 'exit') return running.settle({ kind: 'exited', code: entry.code });
    await running.command.onLine(entry.text, entry.stream).catch((error: unknown) => running.fail(error));
  }

  async #settleIfOver(): Promise<boolean> {
    const state = await this.#readState();
    if (state?.kind !== 'over') return false;
    const { memory } = this.#options;
    if (state.isOutOfMemory)
      this.#running?.settle({
        kind: 'killed',
        signal: 'SIGKILL',
        limit: `${memory} of memory (FLOW_KUBERNETES_MEMORY)`,
      });
    else this.#running?.fail(new RunFailure('runner_error', `The pod ended before its program: ${state.reason}`));
    return true;
  }

  /** Reads the state of the pod; undefined while the cluster does not respond. */
  async #readState(): Promise<PodState | undefined> {
    const { cluster, job } = this.#options;
    try {
      return readPodState(await cluster.findPod(job));
    } catch {
      return undefined;
    }
  }
}
