import type { EvidenceReceipt } from '@steward/contracts';
import { isUuid } from '@steward/crypto';

const KEY = /^([^/]+)\/([^/]+)\.tar\.gz$/;

/** Returns the key of an archive in the evidence store. The worker stores the archive, and the gateway serves it. */
export function locateEvidence(accountId: string, artifactId: string): string {
  // Both ids come from rows of this service, but the key must be safe in any case.
  if (!isUuid(accountId) || !isUuid(artifactId)) throw new Error('evidence ids must be UUIDs');
  return `${accountId}/${artifactId}.tar.gz`;
}

/**
 * Returns whether the key has the form that `locateEvidence` returns: objects with other keys are not purged from a
 * store.
 */
export function isEvidenceKey(key: string): boolean {
  const [, accountId, artifactId] = KEY.exec(key) ?? [];
  return accountId !== undefined && artifactId !== undefined && isUuid(accountId) && isUuid(artifactId);
}

/**
 * Returns the receipt in its current state: after its retention time it is expired, whether or not the archive has been
 * deleted yet.
 */
export function ageReceipt(receipt: EvidenceReceipt, finishedAt: Date | null, now: Date): EvidenceReceipt {
  if (receipt.status !== 'available' || finishedAt === null || receipt.retention_hours === 0) return receipt;
  const isExpired = now.getTime() - finishedAt.getTime() > receipt.retention_hours * 3_600_000;
  return isExpired ? { ...receipt, status: 'expired' } : receipt;
}
