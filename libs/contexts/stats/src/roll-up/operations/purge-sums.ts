import type { AnyDatabase } from '@steward/database';
import { deleteRecent, deleteSums } from '../store/roll-up.store.ts';

const DAY_MS = 86_400_000;

/** Deletes facts that are too old for steps of one minute, and sums whose retention period has ended. */
export async function purgeSums(
  db: AnyDatabase,
  { now, retentionDays }: { readonly now: Date; readonly retentionDays: number },
): Promise<void> {
  await deleteRecent(db);
  await deleteSums(db, new Date(now.getTime() - retentionDays * DAY_MS));
}
