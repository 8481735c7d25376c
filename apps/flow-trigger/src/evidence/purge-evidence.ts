import { isEvidenceKey, type EvidenceStores } from '@steward/flows';

export interface PurgeRequest {
  /** Retention of archives in hours; 0 retains all archives. */
  readonly retentionHours: number;
  readonly now: Date;
  readonly signal?: AbortSignal;
}

/**
 * Deletes archives and incomplete uploads of crashed workers that are older than the retention period. Returns the
 * number of deleted objects. @throws StoreError
 */
export async function purgeEvidence(
  { all }: Pick<EvidenceStores, 'all'>,
  { retentionHours, now, signal }: PurgeRequest,
): Promise<number> {
  if (retentionHours === 0) return 0;
  const before = new Date(now.getTime() - retentionHours * 3_600_000);
  let purged = 0;
  for (const store of all) purged += await store.removeOlder({ before, isOwn: isEvidenceKey, signal });
  return purged;
}
