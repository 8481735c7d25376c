import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createFreshReads } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { deleteDeadLeases, findLeasesBehind, pruneCallerChanges } from '../store/caller-lease.store.ts';
import { LEASE_MS } from './caller-lease.ts';

/**
 * Waits until every process has applied the committed changes to the data of callers: after that, no process admits a
 * request with data that was read before the changes.
 */
export type AwaitCallers = () => Promise<void>;

const MAX_PAUSE_MS = 20;
/** Pause between two deletions of applied changes; processes with leases delete them more often. */
const PRUNE_MS = 60_000;

/**
 * Creates the function that a process calls after it has committed a change and before it confirms the change. If
 * another process does not react, the function waits until the lease of that process has ended: everything that the
 * process read before the change was read under a lease that began before the change. Calls that arrive during a wait
 * share the next wait, so that many simultaneous changes query the database no more often than one change.
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
    // It is unknown which processes hold a lease; after `LEASE_MS`, every lease that began before the change has ended.
    await delay(Math.max(0, LEASE_MS - (performance.now() - beganAt)));
  }
}

/**
 * Creates the function that deletes changes now and then, so that they do not accumulate while no process has a lease.
 * Nothing waits for the deletion; if it fails, a later call deletes the changes.
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
