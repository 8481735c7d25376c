import type { DegradedReason } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { readEmbeddingProgress } from '../../embedding/operations/read-embedding-progress.ts';
import type { CorpusTerms } from '../semantic-half.ts';

export interface DescribedProgress {
  readonly embeddedThrough: Date | null;
  readonly reasons: readonly DegradedReason[];
}

export const UNKNOWN_PROGRESS: DescribedProgress = { embeddedThrough: null, reasons: [] };

/** Returns the progress of embedding an account's corpus, as a search reports it. */
export async function describeProgress(
  db: AnyDatabase,
  accountId: string,
  { setting, isHeldByCap }: CorpusTerms,
): Promise<DescribedProgress> {
  const { embeddedThrough, isComplete } = await readEmbeddingProgress(db, { accountId, setting });
  if (isComplete) return { embeddedThrough, reasons: [] };
  return {
    embeddedThrough,
    reasons: ['semantic_backfill_incomplete', ...(isHeldByCap ? (['semantic_daily_cap_reached'] as const) : [])],
  };
}
