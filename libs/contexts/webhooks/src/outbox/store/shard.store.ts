import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { HeldShards, OutboxShard } from '../rules/outbox-quotas.ts';

/*
 * Locks are taken in the same order everywhere: shards, counter, endpoints by id, event, deliveries. A transaction that
 * holds a shard never waits for another shard of the account, except when it locks all of them in ascending order.
 * Therefore a producer's transaction never deadlocks with the worker, or with another producer that waits because of
 * the limit.
 */

/**
 * Numbers of the shards in which cancellations and outcomes are counted. Any shard of an account could be used; two
 * different shards are used, so that concurrent updates do not wait for each other.
 */
export const COUNTED_IN = { cancellations: 0, outcomes: 7 } as const;

const columns = sql`shard, pending, quota, bound`;

/** Condition that is true if this transaction has written the shard and therefore holds its lock. */
const isOwn = sql`xmin = pg_current_xact_id_if_assigned()::xid`;

/** Creates missing shards of an account. */
export async function ensureShards(trx: AnyTransaction, accountId: string): Promise<void> {
  await sql`
    insert into webhooks.outbox_shard (account_id, shard) select ${accountId}::uuid, generate_series(0, 7)
    on conflict do nothing
  `.execute(trx);
}

/**
 * Locks all shards, and waits for them if necessary: from then on the number of the account's rows is known and does
 * not change.
 */
export async function lockAllShards(trx: AnyTransaction, accountId: string): Promise<HeldShards> {
  const result = await sql<OutboxShard>`
    select ${columns} from webhooks.outbox_shard where account_id = ${accountId} order by shard for no key update
  `.execute(trx);
  return { shards: result.rows, complete: true };
}

/**
 * Locks all shards, or only unlocked ones if this transaction already holds some: it must not wait for the others,
 * since their holders may be waiting for this transaction.
 */
export async function lockShards(trx: AnyTransaction, accountId: string): Promise<HeldShards> {
  const own = await sql`
    select from webhooks.outbox_shard where account_id = ${accountId} and ${isOwn} limit 1
  `.execute(trx);
  if (own.rows.length === 0) return lockAllShards(trx, accountId);
  const result = await sql<OutboxShard & { total: number }>`
    select ${columns}, (select count(*)::int from webhooks.outbox_shard where account_id = ${accountId}) as total
    from webhooks.outbox_shard where account_id = ${accountId} order by shard for no key update skip locked
  `.execute(trx);
  return { shards: result.rows, complete: result.rows[0]?.total === result.rows.length };
}

/** Writes counts and quotas of shards that this transaction has locked. */
export async function saveShards(
  trx: AnyTransaction,
  accountId: string,
  shards: readonly OutboxShard[],
): Promise<void> {
  const column = <T>(read: (shard: OutboxShard) => T): T[] => shards.map(read);
  await sql`
    update webhooks.outbox_shard s set pending = u.pending, quota = u.quota, bound = u.bound
    from unnest(
      ${column((s) => s.shard)}::smallint[], ${column((s) => s.pending)}::int[], ${column((s) => s.quota)}::int[],
      ${column((s) => s.bound)}::int[]
    ) u (shard, pending, quota, bound)
    where s.account_id = ${accountId} and s.shard = u.shard
  `.execute(trx);
}

/** Makes every producer lock all shards before its next event, until there is capacity again. */
export async function closeShards(trx: AnyTransaction, accountId: string): Promise<void> {
  await sql`
    update webhooks.outbox_shard set bound = 0 where account_id = ${accountId} and bound <> 0
  `.execute(trx);
}

/**
 * Waits for the lock of one shard below its quota, if all such shards were locked, and returns the shard; undefined if
 * no shard is below its quota, or if this transaction already holds a shard. It waits for one shard instead of all
 * shards: when a transaction locks all shards, no other transaction finds an unlocked one, and all transactions start
 * to wait for each other (200 events a second of one account on a busy machine: 1.8 s each, compared with 7 ms when
 * waiting for one shard).
 */
export async function awaitShard(
  trx: AnyTransaction,
  accountId: string,
  { bound, wanted }: { readonly bound: number; readonly wanted: number },
): Promise<number | undefined> {
  const result = await sql<{ shard: number | null }>`
    select webhooks.pick_shard(${accountId}, ${wanted}, ${bound}, true) as shard
  `.execute(trx);
  return result.rows[0]?.shard ?? undefined;
}
