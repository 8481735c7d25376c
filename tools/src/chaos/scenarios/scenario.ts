import { eventually } from '@steward/testing';
import type { AppName } from '../../workspace.ts';
import type { Place } from '../place/start-place.ts';

/** A part of the service, whose guarantees are verified from outside. */
export interface Scenario {
  readonly name: string;
  /** The apps that the scenario uses: process faults affect one of them at a time. */
  readonly apps: readonly AppName[];
  /** Creates an account for the scenario and starts to use it. */
  start(place: Place): Promise<RunningScenario>;
}

export interface RunningScenario {
  /**
   * Starts no more work; resolves when all work in progress has received its response.
   * @throws RefusedError if the service refused a valid request
   */
  stop(): Promise<void>;
  /** Waits, for a limited time, until everything expected has arrived, and counts violations. */
  count(): Promise<Counts>;
  /** Counts violations that can be determined only after minutes; called at the end of the whole run. */
  countLate?(): Promise<Counts>;
}

export interface Counts {
  /** How often the guarantee was tested; 0 proves nothing. */
  readonly done: number;
  /** Number of violations of each guarantee; all of them have to be 0. */
  readonly broken: Readonly<Record<string, number>>;
  /** Other counts for the report, which are not violations. */
  readonly noted?: Readonly<Record<string, number>>;
}

export interface LoadSignals {
  /** Aborted when no more work is started. */
  readonly stopping: AbortSignal;
  /** Aborted when calls are no longer repeated. */
  readonly givingUp: AbortSignal;
}

const FINISH_MS = 90_000;
const DRAIN_MS = 90_000;

/** Repeats the work of each worker until it is stopped. */
export function startLoad(workers: number, work: (worker: number, signals: LoadSignals) => Promise<void>) {
  const stopping = new AbortController();
  const givingUp = new AbortController();
  const signals = { stopping: stopping.signal, givingUp: givingUp.signal };
  const one = async (worker: number): Promise<void> => {
    while (!stopping.signal.aborted) await work(worker, signals);
  };
  const all = Promise.all(Array.from({ length: workers }, (_, worker) => one(worker)));
  // `stop` reports a rejection; if it occurs earlier, it must not end the process.
  all.catch(() => undefined);
  return {
    async stop(): Promise<void> {
      stopping.abort();
      const timer = setTimeout(() => givingUp.abort(), FINISH_MS);
      await all.finally(() => clearTimeout(timer));
    },
  };
}

/** Waits, for a limited time, until the condition is met: what is missing afterwards is counted. */
export async function drain(isOver: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(isOver, { timeoutMs: DRAIN_MS, intervalMs: 200 }).catch(() => undefined);
}
