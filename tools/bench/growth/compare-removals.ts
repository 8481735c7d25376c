import type { Database } from '@steward/database';
import { printTable } from '../print-table.ts';
import type { MeasuredWrites } from './measure-writes.ts';

/** Runs a statement that deletes a batch of rows until it finds none. */
export async function deleteInBatches({ pool }: Database, statement: string): Promise<void> {
  for (let deleted = 1; deleted > 0;) {
    const { rowCount } = await pool.query(statement);
    deleted = rowCount ?? 0;
  }
}

/** Prints how long each way of removing rows took, and what it added to the write-ahead log. */
export function printRemovals(what: string, results: readonly (readonly [how: string, MeasuredWrites])[]): void {
  console.log(`\n  removing ${what}\n`);
  printTable(
    ['how', 's', 'log, MB'],
    results.map(([how, { seconds, megabytes }]) => [how, seconds, megabytes]),
  );
}
