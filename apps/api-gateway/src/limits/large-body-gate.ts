import type { IncomingHttpHeaders } from 'node:http';
import { collectGarbage } from './collect-garbage.ts';

/** Lets few large bodies be worked on at once; small ones pass. */
export interface LargeBodyGate {
  /** Of those that wait, an account without a place comes before one that has one. */
  run<T>(sizeBytes: number, accountId: string, work: () => Promise<T>): Promise<T>;
}

export interface LargeBodyGateOptions {
  readonly places: number;
  /** When no place was handed on for so long, whoever waits goes on without one: slow senders must not close the gate. */
  readonly patienceMs: number;
}

/** Below it a body costs less than the wait would. */
const LARGE_BYTES = 64 * 1024;

/**
 * After so much of them the collector is called. A body leaves four times its size behind outside of the heap, where the
 * collector sees it late: twenty of 1 MiB cost 31 to 64 MB by
 * chance, five rounds of them 82 MB; with the call 20 to 22 MB both.
 */
const COLLECTED_AFTER_BYTES = 4 * 1024 * 1024;

/** What a body without a length is counted as. */
const UNKNOWN_BYTES = 1024 * 1024;

/** One processor is not used better by more, and a second one costs a fifth more memory. */
const DEFAULTS: LargeBodyGateOptions = { places: 1, patienceMs: 2000 };

/**
 * A body being worked on is there several times over: bytes as they came, joined, as text, parsed, decoded, in the
 * statement. One that waits unread is in the network’s buffers. Five rounds of twenty requests of 1 MiB at once cost 143 MB
 * without it.
 *
 * Between two bodies everybody else gets a turn: what each costs at one go is bounded, many in a row would not be.
 */
export function createLargeBodyGate(options: LargeBodyGateOptions = DEFAULTS): LargeBodyGate {
  const waiting = new Set<Waiter>();
  /** One entry for each place taken. */
  const inside: string[] = [];
  let uncollectedBytes = 0;

  async function enter(accountId: string): Promise<boolean> {
    if (inside.length < options.places) {
      inside.push(accountId);
      return true;
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => go(false), options.patienceMs);
      const go = (hasPlace: boolean): void => {
        waiting.delete(waiter);
        clearTimeout(timer);
        resolve(hasPlace);
      };
      const waiter = { accountId, go, wait: () => void timer.refresh() };
      waiting.add(waiter);
    });
  }

  /** Not after one: its request still holds it until the answer is sent. */
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
    // The place is handed on: nobody who comes later can take it first.
    inside.push(next.accountId);
    waiting.delete(next);
    for (const waiter of waiting) waiter.wait();
    setImmediate(() => next.go(true));
  }

  return {
    async run(sizeBytes, accountId, work) {
      if (sizeBytes <= LARGE_BYTES) return work();
      const hasPlace = await enter(accountId);
      try {
        collectBefore(sizeBytes);
        return await work();
      } finally {
        if (hasPlace) leave(accountId);
      }
    },
  };
}

interface Waiter {
  readonly accountId: string;
  readonly go: (hasPlace: boolean) => void;
  /** Begins its patience anew. */
  readonly wait: () => void;
}

function findNext(waiting: Iterable<Waiter>, inside: readonly string[]): Waiter | undefined {
  const inOrder = [...waiting];
  return inOrder.find(({ accountId }) => !inside.includes(accountId)) ?? inOrder[0];
}

/** Of text that repeats itself as spans and JSON do. */
const PACKED_TIMES = 8;

/** The size a body is likely to have by its headers: what is packed small passes without a turn. */
export function guessSize(headers: IncomingHttpHeaders): number {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  if (length === undefined) return Infinity;
  return Number(length) * (encoding === 'identity' ? 1 : PACKED_TIMES);
}

/** The size a body has by its headers; without a length, or compressed, it may be of any. */
export function readDeclaredSize(headers: IncomingHttpHeaders): number {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  return length === undefined || encoding !== 'identity' ? Infinity : Number(length);
}
