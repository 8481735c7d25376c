import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transact, type AnyDatabase } from '@steward/database';
import { hashStored, type ObjectStore } from '@steward/storage';
import { nameObject } from '../rules/object-key.ts';
import * as store from '../store/audit-export.store.ts';
import { writeObject } from './write-object.ts';

/** Duration of a lease, longer than any upload takes; after it expires, another process may store the same object. */
const LEASE_SECONDS = 600;

export interface AuditExport {
  readonly bucket: Pick<ObjectStore, 'put' | 'open'>;
  /** Called for each object that was stored, each conflict, and each account whose export failed. */
  readonly onOutcome: (outcome: ExportOutcome) => void;
  readonly signal?: AbortSignal;
}

export type ExportOutcome =
  | { readonly kind: 'stored'; readonly key: string; readonly entries: number }
  /** An object with this key has different content: it was changed, or two deployments share the prefix. */
  | { readonly kind: 'conflict'; readonly key: string }
  | { readonly kind: 'failed'; readonly accountId: string; readonly error: unknown };

/**
 * Stores the seals that are not exported yet, account by account, one object at a time (ACC-53). If a process ends
 * before it has recorded an object, nothing is lost: the next process stores the same object again. A failure in one
 * account does not delay the others. Returns true if all seals are known to be exported; returns false while another
 * process is storing an object, because that process may fail.
 */
export async function exportAudits(db: AnyDatabase, options: AuditExport): Promise<boolean> {
  const { signal, onOutcome } = options;
  const isOver = (): boolean => signal?.aborted === true;
  let isComplete = true;
  for (let after: string | undefined; ;) {
    const page = await store.listExportableAccounts(db, after);
    for (const accountId of page.accountIds) {
      if (isOver()) return false;
      try {
        let step = await exportNext(db, accountId, options);
        for (; step === 'stored'; step = await exportNext(db, accountId, options)) if (isOver()) return false;
        isComplete &&= step === 'nothing';
      } catch (error) {
        isComplete = false;
        onOutcome({ kind: 'failed', accountId, error });
        await store.releaseObject(db, accountId).catch(() => undefined);
      }
    }
    after = page.last;
    if (after === undefined) return isComplete;
  }
}

/** `stored`: there may be another object; `stuck`: there is a conflict, or another process is storing the object. */
type ExportStep = 'stored' | 'nothing' | 'stuck';

async function exportNext(db: AnyDatabase, accountId: string, options: AuditExport): Promise<ExportStep> {
  const { bucket, onOutcome, signal } = options;
  const planned = await transact({ db }, (trx) => store.planObject(trx, { accountId, leaseSeconds: LEASE_SECONDS }));
  if (planned === undefined) return 'nothing';
  if (planned === 'busy') return 'stuck';
  const { last } = planned;
  const key = nameObject(accountId, { first: planned.number + 1, last });
  const folder = await mkdtemp(join(tmpdir(), 'steward-audit-export-'));
  try {
    const path = join(folder, 'object');
    const written = await writeObject(db, path, { accountId, planned });
    const { sizeBytes, sha256, entries, digest } = written;
    const present = await hashStored(bucket, key, signal);
    if (present !== undefined && present !== sha256) {
      onOutcome({ kind: 'conflict', key });
      await store.releaseObject(db, accountId);
      return 'stuck';
    }
    // If the object exists, it was stored by a process that ended before it recorded the export.
    if (present === undefined) await bucket.put({ key, path, sizeBytes, sha256, isShared: true, signal });
    await store.completeObject(db, { accountId, last, digest });
    onOutcome({ kind: 'stored', key, entries });
    return 'stored';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
