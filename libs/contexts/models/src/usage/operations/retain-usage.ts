import { readDatabaseTime, type AnyDatabase } from '@steward/database';
import { addUsagePartitions, dropUsagePartition, type DroppedPartition } from '../store/usage-partition.store.ts';

/**
 * Months that a partition covers if partitions are never dropped. Each partition makes the planning of queries for
 * lists and sums a little slower.
 */
const MONTHS_WITHOUT_RETENTION = 3;
/**
 * Retention in days up to which a partition covers one month. With a longer retention, partitions cover more months, so
 * that their number stays about the same.
 */
const DAYS_PER_MONTH_OF_PARTITION = 730;
const MOST_MONTHS = 12;
/**
 * Maximum difference between the clocks of this process and of the database. It is one day, because a partition is
 * dropped one day later than the retention requires.
 */
const MOST_SKEW_MS = 86_400_000;

export interface RetainedUsage {
  readonly added: readonly string[];
  readonly dropped: readonly DroppedPartition[];
}

export interface UsageRetention {
  readonly retentionDays: number;
  readonly signal?: AbortSignal | undefined;
  /** Time of the clock of this process. */
  readonly now?: Date;
}

/**
 * Creates partitions for usage rows ahead of time, and drops partitions that are older than the retention, one per
 * transaction; with a retention of 0, none are dropped. Any number of processes may call this function: while one
 * process adds or drops partitions, the others skip this step.
 * @throws if the clocks differ by more than `MOST_SKEW_MS`; in this case, nothing is added or dropped
 */
export async function retainUsage(
  db: AnyDatabase,
  { retentionDays, signal, now = new Date() }: UsageRetention,
): Promise<RetainedUsage> {
  const skewMs = Math.abs((await readDatabaseTime(db)).getTime() - now.getTime());
  if (skewMs > MOST_SKEW_MS)
    throw new Error(
      'the clocks of this process and of the database differ by more than a day: no usage rows are removed',
    );
  const added = await addUsagePartitions(db, countMonths(retentionDays));
  const dropped: DroppedPartition[] = [];
  while (retentionDays > 0 && signal?.aborted !== true) {
    const partition = await dropUsagePartition(db, retentionDays);
    if (partition === undefined) break;
    dropped.push(partition);
  }
  return { added, dropped };
}

function countMonths(retentionDays: number): number {
  if (retentionDays === 0) return MONTHS_WITHOUT_RETENTION;
  return Math.min(Math.ceil(retentionDays / DAYS_PER_MONTH_OF_PARTITION), MOST_MONTHS);
}
