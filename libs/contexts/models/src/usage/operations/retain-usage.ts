import type { AnyDatabase } from '@steward/database';
import { addUsagePartitions, dropUsagePartition, type DroppedPartition } from '../store/usage-partition.store.ts';

/** Months of a partition: fewer partitions while none is dropped, since each makes reading a little slower. */
const MONTHS = { withRetention: 1, without: 3 };

export interface RetainedUsage {
  readonly added: readonly string[];
  readonly dropped: readonly DroppedPartition[];
}

/**
 * Creates the partitions of usage rows ahead of time and drops those that are older than the retention, one per
 * transaction; 0 drops none. Any number of processes may run it: one that finds another at work does nothing.
 */
export async function retainUsage(
  db: AnyDatabase,
  { retentionDays, signal }: { readonly retentionDays: number; readonly signal?: AbortSignal | undefined },
): Promise<RetainedUsage> {
  const added = await addUsagePartitions(db, retentionDays === 0 ? MONTHS.without : MONTHS.withRetention);
  const dropped: DroppedPartition[] = [];
  while (retentionDays > 0 && signal?.aborted !== true) {
    const partition = await dropUsagePartition(db, retentionDays);
    if (partition === undefined) break;
    dropped.push(partition);
  }
  return { added, dropped };
}
