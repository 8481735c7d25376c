import type { HintSink } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { listIndexedSources, writeChunks } from '@steward/search';
import { buildSummarySource } from '../../content/rules/chunk-source.ts';
import { findUnindexedContent } from '../../content/store/unindexed-content.store.ts';
import type { RuntimeSession } from '../../sessions/runtime-session.ts';

/**
 * Returns those of the given sessions whose title or summary was stored while indexing was off. Needs only one look-up
 * by key if the account has no unindexed content; sessions that started after the latest unindexed content are not
 * checked.
 */
export async function findUnindexedTitles(
  db: AnyDatabase,
  accountId: string,
  sessions: readonly RuntimeSession[],
): Promise<readonly RuntimeSession[]> {
  if (sessions.length === 0) return [];
  const unindexed = await findUnindexedContent(db, accountId);
  if (unindexed === undefined) return [];
  const titled = sessions.filter(
    ({ title, summary, startedAt }) => (title !== null || summary !== null) && startedAt <= unindexed.latestOccurredAt,
  );
  if (titled.length === 0) return [];
  const sources = titled.map(({ id }) => ({ sourceKind: 'session_summary', sourceId: id }) as const);
  const indexed = await listIndexedSources(db, accountId, sources);
  return titled.filter(({ id }) => !indexed.has(`session_summary:${id}`));
}

/**
 * Writes the `session_summary` chunks of the sessions; a chunk that another process wrote in the meantime is newer and
 * is not replaced.
 */
export async function indexStoredTitles(
  trx: AnyTransaction,
  hints: HintSink,
  sessions: readonly RuntimeSession[],
): Promise<void> {
  await writeChunks(trx, hints, sessions.map(buildSummarySource), { seen: new Map() });
}
