import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';

/**
 * Waits for the turn among the triggers of a flow with one dedupe value and keeps it until the transaction ends; turns come
 * in the order they were asked for. Every door that looks for an active execution by its value, or inserts one with it,
 * asks for it first. Of two values with one hash the triggers wait for each other, no more.
 */
export async function lockDedupeValue(trx: AnyTransaction, flowId: string, dedupeValue: string): Promise<void> {
  const name = `flows.dedupe ${flowId} ${dedupeValue}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}
