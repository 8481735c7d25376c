import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { HeldShards } from '../rules/outbox-quotas.ts';
import { ensureShards, lockAllShards } from './shard.store.ts';

/**
 * Creates the account's counter and its shards if they are missing, and locks them. Most operations that change the
 * account's endpoints, and replays, begin with this call. Returns the shards for callers that need them for counting.
 */
export async function lockAccount(trx: AnyTransaction, accountId: string): Promise<HeldShards> {
  await ensureShards(trx, accountId);
  const held = await lockAllShards(trx, accountId);
  await sql`insert into webhooks.outbox_counter (account_id) values (${accountId}) on conflict do nothing`.execute(trx);
  await sql`select from webhooks.outbox_counter where account_id = ${accountId} for no key update`.execute(trx);
  return held;
}
