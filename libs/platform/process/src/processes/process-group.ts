import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { endsWithin } from '@steward/async';
import { joinMetrics, type Metrics, type MetricList } from '../health/metrics.ts';
import type { Probes } from '../health/probes.ts';
import type { Component } from '../lifecycle/lifecycle.ts';
import { StartupError } from '../lifecycle/startup-error.ts';
import type { Logger } from '../logging/logger.ts';
import { askProcess } from './ask-process.ts';
import { createGroupProbes, type AskAll } from './group-probes.ts';
import { PROCESS_NUMBER, type ProcessMessage, type Question } from './process-messages.ts';

export interface ProcessGroupOptions {
  /** Number of processes, each of which runs this program. */
  readonly size: number;
  readonly logger: Logger;
  /** Metrics of the process that starts the others. */
  readonly metrics: Metrics;
  /** Time in seconds after which processes that have not stopped are killed. */
  readonly stopDeadlineSeconds: number;
}

/**
 * Processes that share one port. The first process starts, monitors, replaces and stops them, and serves no requests
 * itself.
 */
export interface ProcessGroup extends Component {
  readonly probes: Probes;
  readonly metrics: Pick<Metrics, 'render' | 'contentType'>;
  /** The shared port. */
  port(): number | undefined;
}

const FIRST_RESTART_DELAY_MS = 250;
const LONGEST_RESTART_DELAY_MS = 10_000;
/**
 * Time in milliseconds after which a running process is considered stable: if it ends later, it is replaced after the
 * shortest delay.
 */
const SETTLED_AFTER_MS = 30_000;
const LOOK_EVERY_MS = 10_000;
/** Time in milliseconds after which a process that does not respond is considered stuck, and is replaced. */
const STUCK_AFTER_MS = 30_000;
/**
 * Time limit in milliseconds for a response: a check by a process takes at most two seconds, and a probe by an
 * orchestrator at most three.
 */
const ANSWER_WITHIN_MS = 2500;

const dropMissing = <T>(answers: readonly (T | undefined)[]): T[] => answers.filter((answer) => answer !== undefined);

export function createProcessGroup({ size, logger, metrics, stopDeadlineSeconds }: ProcessGroupOptions): ProcessGroup {
  const running = new Map<number, Worker>();
  const started = new Set<Worker>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let port: number | undefined;
  let looking: NodeJS.Timeout | undefined;

  /** Starts a process; resolves when the process serves requests, and rejects if it ends before that. */
  async function open(number: number): Promise<Worker> {
    const worker = cluster.fork({ [PROCESS_NUMBER]: String(number) });
    running.set(number, worker);
    worker.on('listening', (address) => (port = address.port));
    return new Promise((resolve, reject) => {
      worker.on('error', (error) => {
        logger.warn('process.unreachable', { process: number, error: error.message });
        // This listener is needed because a process that could not be started emits no `exit` event.
        if (worker.process.pid !== undefined) return;
        if (running.get(number) === worker) running.delete(number);
        reject(error);
      });
      worker.on('message', ({ kind }: ProcessMessage) => {
        if (kind !== 'started') return;
        started.add(worker);
        resolve(worker);
      });
      worker.once('exit', (code, endedBy) => {
        if (running.get(number) === worker) running.delete(number);
        started.delete(worker);
        const how = endedBy ?? `exit code ${code}`;
        reject(new StartupError(`process ${number} of ${size} did not start (${how})`));
        if (!signal.aborted) logger.error('process.ended', { process: number, pid: worker.process.pid, how });
      });
    });
  }

  /** Keeps a process running: replaces it whenever it has ended. */
  async function keep(number: number, first: Worker): Promise<void> {
    let delayMs = FIRST_RESTART_DELAY_MS;
    for (let worker: Worker | undefined = first; !signal.aborted;) {
      const since = performance.now();
      if (worker !== undefined) await untilExit(worker);
      if (performance.now() - since > SETTLED_AFTER_MS) delayMs = FIRST_RESTART_DELAY_MS;
      await delay(delayMs, undefined, { signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, LONGEST_RESTART_DELAY_MS);
      worker = signal.aborted ? undefined : await open(number).catch(() => undefined);
    }
  }

  const ask: AskAll = <T>(question: Question) =>
    [...started].map((worker) => askProcess<T>(worker, question, ANSWER_WITHIN_MS));

  return {
    name: 'processes',
    port: () => port,
    probes: createGroupProbes(ask, () => signal.aborted),
    metrics: {
      contentType: metrics.contentType,
      render: async () => joinMetrics(dropMissing(await Promise.all([metrics.list(), ...ask<MetricList>('metrics')]))),
    },
    async start() {
      // One process is started before the others, so that an error that prevents all processes from starting is logged
      // only once.
      const first = await open(1);
      const others = Array.from({ length: size - 1 }, (_, index) => open(index + 2));
      [first, ...(await Promise.all(others))].forEach((worker, index) => void keep(index + 1, worker));
      looking = setInterval(() => started.forEach((worker) => void endIfStuck(worker, logger)), LOOK_EVERY_MS).unref();
    },
    async stop() {
      stopping.abort();
      clearInterval(looking);
      const workers = [...running.values()];
      const ended = Promise.all(workers.map(untilExit));
      for (const worker of workers) worker.process.kill('SIGTERM');
      if (await endsWithin(ended, stopDeadlineSeconds * 1000)) return;
      for (const worker of workers) if (!worker.isDead()) worker.process.kill('SIGKILL');
      await ended;
    },
  };
}

async function endIfStuck(worker: Worker, logger: Logger): Promise<void> {
  const answer = await askProcess(worker, 'live', STUCK_AFTER_MS);
  if (answer !== undefined || worker.isDead()) return;
  logger.error('process.stuck', { pid: worker.process.pid });
  worker.process.kill('SIGKILL');
}

function untilExit(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) resolve();
    else worker.once('exit', () => resolve());
  });
}
