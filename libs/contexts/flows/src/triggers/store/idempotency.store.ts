import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';
import { nameKey, type HeldKey } from '../rules/held-key.ts';
import { IDEMPOTENCY_HOURS } from '../rules/idempotency.ts';

export interface KeyOfFlow {
  readonly flowId: string;
  readonly keyDigest: Buffer;
}

/**
 * Returns the uses of the given keys, by `nameKey`; keys whose first use was more than 24 hours ago are not included.
 */
export async function findHeldKeys(
  db: AnyDatabase,
  keys: readonly KeyOfFlow[],
  now: Date,
): Promise<Map<string, HeldKey>> {
  if (keys.length === 0) return new Map();
  const usedSince = new Date(now.getTime() - IDEMPOTENCY_HOURS * 3_600_000);
  const found = await executePrepared(
    db,
    'flows.held-keys',
    sql<HeldKey & KeyOfFlow>`
    select k.flow_id as "flowId", k.key_digest as "keyDigest", k.body_digest as "bodyDigest",
      k.execution_id as "executionId", e.status
    from unnest(${keys.map(({ flowId }) => flowId)}::uuid[], ${keys.map(({ keyDigest }) => keyDigest)}::bytea[])
      as wanted (flow_id, key_digest)
    join flows.idempotency_key k on k.flow_id = wanted.flow_id and k.key_digest = wanted.key_digest
    join flows.execution e on e.id = k.execution_id
    where k.created_at >= ${usedSince}
  `,
  );
  return new Map(found.rows.map((held) => [nameKey(held.flowId, held.keyDigest), held]));
}

/**
 * Makes the caller's key refer to the execution that was finally returned (an active one with the same dedupe value).
 */
export async function repointIdempotencyKey(trx: AnyTransaction, key: KeyOfFlow, executionId: string): Promise<void> {
  await tables(trx)
    .updateTable('flows.idempotency_key')
    .set({ execution_id: executionId })
    .where('flow_id', '=', key.flowId)
    .where('key_digest', '=', key.keyDigest)
    .execute();
}

/** Removes up to `limit` keys that are older than 24 hours. Returns the number of keys that were removed. */
export async function purgeIdempotencyKeys(db: AnyDatabase, limit: number): Promise<number> {
  const purged = await sql<{ gone: string }>`select flows.purge_idempotency_keys(${limit}) as gone`.execute(db);
  return Number(purged.rows[0]?.gone ?? 0);
}
