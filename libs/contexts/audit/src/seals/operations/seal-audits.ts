import { transact, type AnyDatabase, type AnyTransaction } from '@steward/database';
import type { AuditLogRow, AuditSealRow } from '../../schema.ts';
import { beginChain, extendChain } from '../rules/chain.ts';
import { presentEntry } from '../rules/present-entry.ts';
import * as store from '../store/audit-seal.store.ts';

/** Maximum number of rows per seal, which is hashed and exported as a whole. */
const ROWS_PER_BATCH = 1000;

export interface Sealing {
  readonly now: Date;
  /** If undefined, the rows of all accounts are sealed, unless another process is already sealing. */
  readonly accountId?: string;
  readonly signal?: AbortSignal;
}

/**
 * Seals rows of the audit log, one batch per transaction, until none is left (ACC-51). Returns the number of sealed
 * rows.
 */
export async function sealAudits(db: AnyDatabase, sealing: Sealing): Promise<number> {
  let sealed = 0;
  for (let rows = ROWS_PER_BATCH; rows === ROWS_PER_BATCH && sealing.signal?.aborted !== true; sealed += rows)
    rows = await transact({ db }, (trx) => sealBatch(trx, sealing));
  return sealed;
}

async function sealBatch(trx: AnyTransaction, { now, accountId }: Sealing): Promise<number> {
  if (accountId !== undefined) await store.lockSealing(trx);
  else if (!(await store.tryLockSealing(trx))) return 0;
  const rows = await store.takeUnsealed(trx, { accountId, limit: ROWS_PER_BATCH });
  if (rows.length === 0) return 0;
  const byAccount = Map.groupBy(rows, (row) => row.account_id);
  const heads = new Map((await store.findHeads(trx, [...byAccount.keys()])).map((head) => [head.account_id, head]));
  const seals = [...byAccount].map(([accountId, own]) => seal(accountId, own, heads.get(accountId), now));
  await store.insertSeals(trx, seals);
  return rows.length;
}

function seal(
  accountId: string,
  rows: readonly AuditLogRow[],
  head: Pick<AuditSealRow, 'number' | 'digest'> | undefined,
  now: Date,
): AuditSealRow {
  const previous = head?.digest ?? beginChain(accountId);
  return {
    account_id: accountId,
    number: (head?.number ?? 0) + 1,
    audit_ids: rows.map(({ id }) => id),
    previous_digest: previous,
    digest: extendChain(previous, rows.map(presentEntry)),
    sealed_at: now,
  };
}
