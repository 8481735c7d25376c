import { sql, type Kysely, type Transaction } from 'kysely';
import { IDEMPOTENCY_HOURS } from '../rules/idempotency.ts';
import type { FlowsDatabase } from '../schema.ts';

export interface IdempotencyClaim {
  readonly flowId: string;
  readonly accountId: string;
  readonly keyDigest: Buffer;
  readonly bodyDigest: Buffer;
  readonly executionId: string;
  readonly now: Date;
}

/**
 * Claims a key insert-first. Undefined when the caller owns it now; else what the first request stored. A concurrent
 * request with the same key waits here for the first one's commit, so it never sees half of it.
 */
export async function claimIdempotencyKey(
  trx: Transaction<FlowsDatabase>,
  claim: IdempotencyClaim,
): Promise<{ bodyDigest: Buffer; executionId: string } | undefined> {
  const expired = new Date(claim.now.getTime() - IDEMPOTENCY_HOURS * 3_600_000);
  const claimed = await sql<{ execution_id: string }>`
    insert into flows.idempotency_key as held (flow_id, key_digest, account_id, body_digest, execution_id, created_at)
    values (${claim.flowId}, ${claim.keyDigest}, ${claim.accountId}, ${claim.bodyDigest}, ${claim.executionId}, ${claim.now})
    on conflict (flow_id, key_digest) do update
      set body_digest = excluded.body_digest, execution_id = excluded.execution_id, created_at = excluded.created_at
      where held.created_at < ${expired}
    returning execution_id
  `.execute(trx);
  if (claimed.rows.length > 0) return undefined;
  const held = await trx
    .selectFrom('flows.idempotency_key')
    .select(['body_digest', 'execution_id'])
    .where('flow_id', '=', claim.flowId)
    .where('key_digest', '=', claim.keyDigest)
    .executeTakeFirstOrThrow();
  return { bodyDigest: held.body_digest, executionId: held.execution_id };
}

/** What a key that is still valid stands for, without claiming it. */
export async function findIdempotencyKey(
  db: Kysely<FlowsDatabase>,
  key: { readonly flowId: string; readonly keyDigest: Buffer; readonly now: Date },
): Promise<{ bodyDigest: Buffer; executionId: string } | undefined> {
  const held = await db
    .selectFrom('flows.idempotency_key')
    .select(['body_digest', 'execution_id'])
    .where('flow_id', '=', key.flowId)
    .where('key_digest', '=', key.keyDigest)
    .where('created_at', '>=', new Date(key.now.getTime() - IDEMPOTENCY_HOURS * 3_600_000))
    .executeTakeFirst();
  return held === undefined ? undefined : { bodyDigest: held.body_digest, executionId: held.execution_id };
}

/** Points the caller's key at the execution that answered it in the end (an active one with the same dedupe value). */
export async function repointIdempotencyKey(
  trx: Transaction<FlowsDatabase>,
  claim: Pick<IdempotencyClaim, 'flowId' | 'keyDigest'>,
  executionId: string,
): Promise<void> {
  await trx
    .updateTable('flows.idempotency_key')
    .set({ execution_id: executionId })
    .where('flow_id', '=', claim.flowId)
    .where('key_digest', '=', claim.keyDigest)
    .execute();
}

/** Keys past their 24 hours. Returns how many went. */
export async function purgeIdempotencyKeys(db: Kysely<FlowsDatabase>, now: Date, limit: number): Promise<number> {
  const expired = new Date(now.getTime() - IDEMPOTENCY_HOURS * 3_600_000);
  const result = await sql`
    delete from flows.idempotency_key
    where ctid in (select ctid from flows.idempotency_key where created_at < ${expired} limit ${limit})
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}
