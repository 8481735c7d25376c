import type { AnyDatabase } from '@steward/database';
import type { CallerClock } from '../caller-clock.ts';
import { deleteDeadLeases, listCallerLeases, pruneCallerChanges, type SeenLease } from '../store/caller-lease.store.ts';

/** Pause between two checks of the leases of other processes. */
const SWEEP_MS = 2000;

/**
 * Creates the function that deletes the leases of processes that have ended, so that no writer waits for them, and the
 * changes that every process has applied. A lease is dead if its number of renewals has not changed for the duration of
 * a lease, measured on the clock of this process.
 */
export function createLeaseSweep(db: AnyDatabase, clock: CallerClock): () => Promise<void> {
  let known = new Map<string, SeenLease & { readonly seenAt: number }>();
  let sweptAt = -Infinity;
  return async () => {
    if (clock.monotonic() - sweptAt < SWEEP_MS) return;
    const leases = await listCallerLeases(db);
    const now = clock.monotonic();
    sweptAt = now;
    known = new Map(
      leases.map((lease) => {
        const before = known.get(lease.id);
        return [lease.id, before?.renewals === lease.renewals ? before : { ...lease, seenAt: now }];
      }),
    );
    const dead = [...known.values()].filter(({ seenAt, leaseMs }) => now - seenAt >= leaseMs);
    if (dead.length > 0) await deleteDeadLeases(db, dead);
    await pruneCallerChanges(db);
  };
}
