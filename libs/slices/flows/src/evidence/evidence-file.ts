import type { EvidenceReceipt } from '@steward/contracts';
import { isUuid } from '@steward/crypto';

const KEY = /^([^/]+)\/([^/]+)\.tar\.gz$/;

/** Where one archive lies in the evidence store. The worker puts it, the gateway serves it. */
export function locateEvidence(accountId: string, artifactId: string): string {
  // Both come from our own rows; a key must not depend on that.
  if (!isUuid(accountId) || !isUuid(artifactId)) throw new Error('evidence is located by ids');
  return `${accountId}/${artifactId}.tar.gz`;
}

/** Whether `locateEvidence` made the key: whatever else lies in a store is not purged. */
export function isEvidenceKey(key: string): boolean {
  const [, accountId, artifactId] = KEY.exec(key) ?? [];
  return accountId !== undefined && artifactId !== undefined && isUuid(accountId) && isUuid(artifactId);
}

/** The receipt as it counts now: past its retention what it names is expired, whether or not the archive is gone yet. */
export function ageReceipt(receipt: EvidenceReceipt, finishedAt: Date | null, now: Date): EvidenceReceipt {
  if (receipt.status !== 'available' || finishedAt === null || receipt.retention_hours === 0) return receipt;
  const isExpired = now.getTime() - finishedAt.getTime() > receipt.retention_hours * 3_600_000;
  return isExpired ? { ...receipt, status: 'expired' } : receipt;
}
