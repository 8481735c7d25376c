import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createFreshReads } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { deleteDeadLeases, findLeasesBehind, pruneCallerChanges } from '../store/caller-lease.store.ts';
import { LEASE_MS } from './caller-lease.ts';

/**
 * Waits until every process has applied the changes of callers that are committed: none of them admits a request with
 * data that was read before.
 */
export type AwaitCallers = () => Promise<void>;

const MAX_PAUSE_MS = 20;
/** Pause between two deletions of applied changes; processes with leases delete them more often. */
const PRUNE_MS = 60_000;

/**
 * Creates the function that a process calls after a change is committed and before it is confirmed. A process that does
 * not react is waited for until its lease has ended: what it had read before the change, it read under a lease that
 * began before the change. Callers that arrive during a wait share the next one, so that many changes at once do not
 * ask the database more often than one.
 */
export function createAwaitCallers(
  db: AnyDatabase,
  { pruneMs = PRUNE_MS, onWaited }: { readonly pruneMs?: number; readonly onWaited?: (seconds: number) => void } = {},
): AwaitCallers {
  const share = createFreshReads<void>();
  const prune = createPrune(db, pruneMs);
  return async () => {
    const beganAt = performance.now();
    await share('', () => waitForLeases(db));
    onWaited?.((performance.now() - beganAt) / 1000);
    prune();
  };
}

async function waitForLeases(db: AnyDatabase): Promise<void> {
  const beganAt = performance.now();
  try {
    const first = await findLeasesBehind(db);
    const seenAt = performance.now();
    let behind = first.leases;
    for (let pauseMs = 1; behind.length > 0; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      const longestMs = Math.max(...behind.map(({ leaseMs }) => leaseMs));
      if (performance.now() - seenAt >= longestMs) return await deleteDeadLeases(db, first.leases);
      await delay(pauseMs);
      behind = (await findLeasesBehind(db, { ...first, leases: behind })).leases;
    }
  } catch {
    // Nobody knows who holds a lease; after this time, every lease that began before the change has ended.
    await delay(Math.max(0, LEASE_MS - (performance.now() - beganAt)));
  }
}

/**
 * Creates the function that deletes changes now and then, so that they do not accumulate while no process has a lease.
 * Nobody waits for it, and a failure is repaired by the next time.
 */
function createPrune(db: AnyDatabase, pruneMs: number): () => void {
  const outsideRequests = AsyncLocalStorage.snapshot();
  let prunedAt = performance.now();
  return () => {
    if (performance.now() - prunedAt < pruneMs) return;
    prunedAt = performance.now();
    outsideRequests(() => void pruneCallerChanges(db).catch(() => undefined));
  };
}
