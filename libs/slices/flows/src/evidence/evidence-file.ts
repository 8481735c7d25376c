import { resolve } from 'node:path';
import type { EvidenceReceipt } from '@steward/contracts';
import { isUuid } from '@steward/runtime';

/** Where one archive lies. The worker writes it, the gateway serves it: both see the same folder. */
export function locateEvidence(directory: string, accountId: string, artifactId: string): string {
  // Both come from our own rows; a path must not depend on that.
  if (!isUuid(accountId) || !isUuid(artifactId)) throw new Error('evidence is located by ids');
  return resolve(directory, accountId, `${artifactId}.tar.gz`);
}

/** The receipt as it counts now: past its retention what it names is expired, whether or not the file is gone yet. */
export function ageReceipt(receipt: EvidenceReceipt, finishedAt: Date | null, now: Date): EvidenceReceipt {
  if (receipt.status !== 'available' || finishedAt === null || receipt.retention_hours === 0) return receipt;
  const isExpired = now.getTime() - finishedAt.getTime() > receipt.retention_hours * 3_600_000;
  return isExpired ? { ...receipt, status: 'expired' } : receipt;
}
