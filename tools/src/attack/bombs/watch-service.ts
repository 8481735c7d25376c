import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describeError } from '../../describe-error.ts';

/** Effects on other requests during an attack. */
export interface Watched<Result> {
  readonly result: Result;
  /** Peak growth of the resident memory of the process, in MB. */
  readonly grewMb: number;
  /**
   * Latency of other requests during the attack, in milliseconds, including requests that are still pending at the end.
   */
  readonly othersP99Ms: number;
  readonly othersWorstMs: number;
  readonly others: number;
  /** Distinct errors of failed requests. */
  readonly failures: readonly string[];
}

/**
 * Interval of the other client's requests if their latency is evaluated, and interval if only their success is
 * evaluated.
 */
const MEASURED_EVERY_MS = 15;
const ASKED_EVERY_MS = 50;

/**
 * Runs `attack` while another client calls the service every few milliseconds, and monitors the memory of the service's
 * process.
 * @param ask - Sends one request of a client that is unrelated to the attack.
 * @param isTimed - True if the latency of these requests is evaluated, which requires many of them.
 * @throws what `attack` throws
 */
export async function watchService<Result>(
  { pid, ask, isTimed }: { readonly pid: number; readonly ask: () => Promise<void>; readonly isTimed: boolean },
  attack: () => Promise<Result>,
): Promise<Watched<Result>> {
  const before = readMemoryMb(pid, 'VmRSS');
  // This resets the peak of the memory (proc(5), clear_refs).
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const over = new AbortController();
  const asking = askOften(ask, isTimed ? MEASURED_EVERY_MS : ASKED_EVERY_MS, over.signal);
  try {
    const result = await attack();
    over.abort();
    const { waits, failures } = await asking;
    return {
      result,
      grewMb: Math.max(0, readMemoryMb(pid, 'VmHWM') - before),
      othersP99Ms: waits[Math.floor((waits.length - 1) * 0.99)] ?? 0,
      othersWorstMs: waits.at(-1) ?? 0,
      others: waits.length,
      failures,
    };
  } finally {
    over.abort();
  }
}

/** Sends requests at a fixed rate, regardless of the responses: every waiting request shows a stall of the service. */
async function askOften(
  ask: () => Promise<void>,
  everyMs: number,
  over: AbortSignal,
): Promise<{ readonly waits: number[]; readonly failures: string[] }> {
  const waits: number[] = [];
  const failures = new Set<string>();
  const asked: Promise<void>[] = [];
  const askOnce = async (): Promise<void> => {
    const start = performance.now();
    await ask().catch((error: unknown) => void failures.add(describeError(error)));
    waits.push(performance.now() - start);
  };
  while (!over.aborted) {
    asked.push(askOnce());
    await wait(everyMs);
  }
  await Promise.all(asked);
  return { waits: waits.toSorted((a, b) => a - b), failures: [...failures] };
}

function readMemoryMb(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? Number.NaN) / 1024;
}
