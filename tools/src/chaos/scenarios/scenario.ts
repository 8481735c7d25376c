import { eventually } from '@steward/testing';
import type { AppName } from '../../workspace.ts';
import type { Place } from '../place/start-place.ts';

/** A part of the service whose guarantees are counted from outside. */
export interface Scenario {
  readonly name: string;
  /** The apps that take part: faults of processes choose among them. */
  readonly apps: readonly AppName[];
  /** Creates an account of its own, and begins to use it. */
  start(place: Place): Promise<RunningScenario>;
}

export interface RunningScenario {
  /** Begins nothing more; resolves when everything that was begun has its answer. @throws if the service refused what it may not refuse */
  stop(): Promise<void>;
  /** Waits, within a limit, until everything has arrived that has to, and counts. */
  count(): Promise<Counts>;
  /** Counts what may take minutes, at the end of the whole run. */
  countLate?(): Promise<Counts>;
}

export interface Counts {
  /** How often the promise was put to the test; none proves nothing. */
  readonly done: number;
  /** Violations, by what was promised: all of them have to be 0. */
  readonly broken: Readonly<Record<string, number>>;
  /** Counts that are allowed. */
  readonly noted?: Readonly<Record<string, number>>;
}

export interface LoadSignals {
  /** No further work is begun. */
  readonly stopping: AbortSignal;
  /** Calls that are repeated are given up. */
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

/** Waits until the condition is met, for a limited time: what is missing then is counted. */
export async function drain(isOver: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(isOver, { timeoutMs: DRAIN_MS, intervalMs: 200 }).catch(() => undefined);
}
