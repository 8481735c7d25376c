import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/**
 * Adds partitions until they cover the next two months. A new partition covers `months` months, or the whole missing
 * period if many rows of that period are already stored. Returns the names of the added partitions.
 */
export async function addUsagePartitions(db: AnyDatabase, months: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from models.add_usage_partitions(${months}::int) as name
  `.execute(db);
  return rows.map(({ name }) => name);
}

export interface DroppedPartition {
  readonly name: string;
  /** Number of rows according to the statistics of the database. */
  readonly rows: number;
}

/**
 * Drops the oldest partition if all its rows are older than the retention; returns undefined if there is no such
 * partition.
 */
export async function dropUsagePartition(
  db: AnyDatabase,
  retentionDays: number,
): Promise<DroppedPartition | undefined> {
  const { rows } = await sql<DroppedPartition>`
    select partition_name as name, row_estimate as rows from models.drop_usage_partition(${retentionDays}::int)
  `.execute(db);
  return rows[0];
}
