import { transact, type AnyDatabase } from '@steward/database';
import { recordAudit } from '../../operations/record-audit.ts';
import { findExported } from '../../export/store/audit-export.store.ts';
import * as store from '../store/audit-pruned.store.ts';

/** Limits of one transaction; both are needed, because an account with few entries a minute has many small seals. */
const BATCH = { seals: 1000, entries: 10_000 };
const DAY_MS = 86_400_000;

export interface Pruning {
  readonly now: Date;
  readonly retentionDays: number;
  /** Whether seals that are not exported yet are retained, however old they are (ACC-53). */
  readonly onlyExported?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Removes the seals that are older than the retention period, with their entries, account by account (ACC-52). Each
 * removal is itself recorded as an entry of the log, in the same transaction. Returns the number of removed entries. A
 * failure in one account does not delay the others. @throws the first such error, after all accounts were processed
 */
export async function pruneAudits(
  db: AnyDatabase,
  { now, retentionDays, onlyExported = false, signal }: Pruning,
): Promise<number> {
  const cutoff = new Date(now.getTime() - retentionDays * DAY_MS);
  let removed = 0;
  const failures: unknown[] = [];
  for await (const accountId of listAccounts(db, cutoff))
    try {
      for (let isMore = true; isMore && signal?.aborted !== true;) {
        const batch = await pruneBatch(db, { accountId, cutoff, retentionDays, onlyExported, now });
        ({ isMore } = batch);
        removed += batch.entries;
      }
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
  return removed;
}

async function* listAccounts(db: AnyDatabase, cutoff: Date): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    const accountIds = await store.listPrunableAccounts(db, { cutoff, after });
    yield* accountIds;
    after = accountIds.at(-1);
  } while (after !== undefined);
}

interface Batch {
  readonly accountId: string;
  readonly cutoff: Date;
  readonly retentionDays: number;
  readonly onlyExported: boolean;
  readonly now: Date;
}

function pruneBatch(
  db: AnyDatabase,
  { accountId, cutoff, retentionDays, onlyExported, now }: Batch,
): Promise<{ readonly isMore: boolean; readonly entries: number }> {
  return transact({ db }, async (trx) => {
    const upTo = onlyExported ? await findExported(trx, accountId) : Number.MAX_SAFE_INTEGER;
    const most = await store.countBatch(trx, { accountId, upTo, ...BATCH });
    const removed = most === 0 ? undefined : await store.pruneSeals(trx, { accountId, cutoff, most });
    if (removed === undefined) return { isMore: false, entries: 0 };
    const { seals, entries, number, digest } = removed;
    await recordAudit(trx, {
      accountId,
      actor: { kind: 'system', id: null },
      source: 'system',
      action: store.PRUNE,
      resourceType: 'audit_log',
      resourceId: null,
      status: 'success',
      details: { seals, entries, last_seal: number, digest: digest.toString('hex'), retention_days: retentionDays },
      occurredAt: now,
    });
    return { isMore: seals === most, entries };
  });
}
