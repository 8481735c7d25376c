import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transact, type AnyDatabase } from '@steward/database';
import { hashStored, type ObjectStore } from '@steward/storage';
import { nameObject } from '../rules/object-key.ts';
import * as store from '../store/audit-export.store.ts';
import { writeObject } from './write-object.ts';

/** Longer than any upload takes; afterwards another process may store the same object. */
const LEASE_SECONDS = 600;

export interface AuditExport {
  readonly bucket: Pick<ObjectStore, 'put' | 'open'>;
  /** Called for each object that was stored, and for each account that failed. */
  readonly onOutcome: (outcome: ExportOutcome) => void;
  readonly signal?: AbortSignal;
}

export type ExportOutcome =
  | { readonly kind: 'stored'; readonly key: string; readonly entries: number }
  /** An object with this key has other content: it was changed, or two deployments share the prefix. */
  | { readonly kind: 'conflict'; readonly key: string }
  | { readonly kind: 'failed'; readonly accountId: string; readonly error: unknown };

/**
 * Stores the seals that are not exported yet, account by account, each in one object (ACC-53). A process that ends in
 * between loses nothing: the next one stores the same object again. An account that fails does not delay the others.
 */
export async function exportAudits(db: AnyDatabase, options: AuditExport): Promise<void> {
  const { signal, onOutcome } = options;
  const isOver = (): boolean => signal?.aborted === true;
  for (let after: string | undefined; ;) {
    const page = await store.listExportableAccounts(db, after);
    for (const accountId of page.accountIds) {
      if (isOver()) return;
      try {
        while (await exportNext(db, accountId, options)) if (isOver()) return;
      } catch (error) {
        onOutcome({ kind: 'failed', accountId, error });
        await store.releaseObject(db, accountId).catch(() => undefined);
      }
    }
    after = page.last;
    if (after === undefined) return;
  }
}

/** Returns whether an object was stored, so that there may be another one. */
async function exportNext(db: AnyDatabase, accountId: string, options: AuditExport): Promise<boolean> {
  const { bucket, onOutcome, signal } = options;
  const planned = await transact({ db }, (trx) => store.planObject(trx, { accountId, leaseSeconds: LEASE_SECONDS }));
  if (planned === undefined) return false;
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
      return false;
    }
    // An object that is there was stored by a process that ended before it recorded that.
    if (present === undefined) await bucket.put({ key, path, sizeBytes, sha256, isShared: true, signal });
    await store.completeObject(db, { accountId, last, digest });
    onOutcome({ kind: 'stored', key, entries });
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
