import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';

/**
 * Takes the turn lock of a flow's dedupe value, an advisory lock that is held until the transaction ends and is granted
 * in the order of requests. All code that looks for an active execution by its dedupe value, or inserts one, takes this
 * lock first. If two values have the same hash, their triggers wait for each other, which is harmless.
 */
export async function lockDedupeValue(trx: AnyTransaction, flowId: string, dedupeValue: string): Promise<void> {
  const name = `flows.dedupe ${flowId} ${dedupeValue}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}
