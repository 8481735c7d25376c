import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';

/**
 * Waits for the turn among triggers of a flow with one dedupe value and holds it until the transaction ends; turns are
 * first come, first served. All code that looks for an active execution by its value, or inserts one with it, takes the
 * turn first. Two values with the same hash only wait for each other.
 */
export async function lockDedupeValue(trx: AnyTransaction, flowId: string, dedupeValue: string): Promise<void> {
  const name = `flows.dedupe ${flowId} ${dedupeValue}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}
