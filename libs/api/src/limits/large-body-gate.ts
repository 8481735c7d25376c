import type { IncomingHttpHeaders } from 'node:http';
import { collectGarbage } from './collect-garbage.ts';

/** Limits how many large bodies are processed at once; small ones are not limited. */
export interface LargeBodyGate {
  /** Calls `work` when a slot is free. Among waiting bodies, those of accounts without a slot come first. */
  run<T>(sizeBytes: number, accountId: string, work: () => Promise<T>): Promise<T>;
}

export interface LargeBodyGateOptions {
  readonly places: number;
  /**
   * If no slot becomes free for this long, waiting bodies continue without one, so that slow clients do not block the
   * gate.
   */
  readonly timeoutMs: number;
}

/** Size above which a body counts as large: processing a smaller one costs less than waiting would. */
const LARGE_BYTES = 64 * 1024;

/**
 * Bytes after which a garbage collection runs. A processed body leaves garbage of four times its size outside the heap,
 * and the collector notices this garbage late: twenty bodies of 1 MiB take 31 to 64 MB, depending on chance, and five
 * rounds of twenty bodies take 82 MB. With forced collections, both cases take 20 to 22 MB.
 */
const COLLECTED_AFTER_BYTES = 4 * 1024 * 1024;

/** Assumed size of a body without a length. */
const UNKNOWN_BYTES = 1024 * 1024;

/**
 * Default limits. There is one slot, because more slots do not increase the throughput of one processor, and a second
 * slot takes a fifth more memory.
 */
const DEFAULTS: LargeBodyGateOptions = { places: 1, timeoutMs: 2000 };

/**
 * Creates the gate. While a body is processed, it exists in several copies: the received bytes, the joined bytes, a
 * string, the parsed value, the decoded value and a part of the statement. A waiting body exists only as received bytes.
 * Without the gate, five rounds of twenty concurrent requests of 1 MiB cost 143 MB. Other requests are handled between
 * two bodies: the time that one body takes is bounded, but the time that many bodies in a row take is not.
 */
export function createLargeBodyGate(options: LargeBodyGateOptions = DEFAULTS): LargeBodyGate {
  const waiting = new Set<Waiter>();
  /** Contains the account of each used slot. */
  const inside: string[] = [];
  let uncollectedBytes = 0;

  async function enter(accountId: string): Promise<boolean> {
    if (inside.length < options.places) {
      inside.push(accountId);
      return true;
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => go(false), options.timeoutMs);
      const go = (hasPlace: boolean): void => {
        waiting.delete(waiter);
        clearTimeout(timer);
        resolve(hasPlace);
      };
      const waiter = { accountId, go, wait: () => void timer.refresh() };
      waiting.add(waiter);
    });
  }

  /**
   * Collects garbage if enough bytes were processed since the last collection. This is done before a body is processed,
   * not after one, because a request holds its body until the response is sent.
   */
  function collectBefore(sizeBytes: number): void {
    if (uncollectedBytes >= COLLECTED_AFTER_BYTES) {
      uncollectedBytes = 0;
      collectGarbage();
    }
    uncollectedBytes += Number.isFinite(sizeBytes) ? sizeBytes : UNKNOWN_BYTES;
  }

  function leave(accountId: string): void {
    inside.splice(inside.indexOf(accountId), 1);
    const next = findNext(waiting, inside);
    if (next === undefined) return;
    // The slot passes directly to the next waiting body, so that no later caller can take it.
    inside.push(next.accountId);
    waiting.delete(next);
    for (const waiter of waiting) waiter.wait();
    setImmediate(() => next.go(true));
  }

  async function runLarge<T>(sizeBytes: number, accountId: string, work: () => Promise<T>): Promise<T> {
    const hasPlace = await enter(accountId);
    try {
      collectBefore(sizeBytes);
      return await work();
    } finally {
      if (hasPlace) leave(accountId);
    }
  }

  return {
    run: (sizeBytes, accountId, work) => (sizeBytes <= LARGE_BYTES ? work() : runLarge(sizeBytes, accountId, work)),
  };
}

interface Waiter {
  readonly accountId: string;
  readonly go: (hasPlace: boolean) => void;
  /** Restarts the timeout of the waiting body. */
  readonly wait: () => void;
}

function findNext(waiting: Iterable<Waiter>, inside: readonly string[]): Waiter | undefined {
  const inOrder = [...waiting];
  return inOrder.find(({ accountId }) => !inside.includes(accountId)) ?? inOrder[0];
}

/** Assumed compression factor of repetitive text such as spans and JSON. */
const PACKED_TIMES = 8;

/**
 * Returns the likely size of a body, based on its headers. The size of a compressed body is estimated, so that a small
 * one is processed without waiting.
 */
export function guessSize(headers: IncomingHttpHeaders): number {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  if (length === undefined) return Infinity;
  return Number(length) * (encoding === 'identity' ? 1 : PACKED_TIMES);
}

/**
 * Returns the size of a body according to its headers; infinity if the length is unknown or the body is compressed,
 * since it may then have any size.
 */
export function readDeclaredSize(headers: IncomingHttpHeaders): number {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  return length === undefined || encoding !== 'identity' ? Infinity : Number(length);
}
