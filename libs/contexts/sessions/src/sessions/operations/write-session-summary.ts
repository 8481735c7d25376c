import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { writeChunks } from '@steward/search';
import { buildSummarySource } from '../../content/rules/chunk-source.ts';
import type { RuntimeSession, SessionWriteOptions } from '../runtime-session.ts';
import { noteUnindexedContent } from '../../content/store/unindexed-content.store.ts';

/**
 * Writes the `session_summary` chunk of each session; the chunk of a session without title and summary is deleted. If
 * indexing is off, titles and summaries are only recorded as unindexed.
 */
export async function writeSessionSummary(
  trx: AnyTransaction,
  hints: HintSink,
  sessions: readonly RuntimeSession[],
  options: Pick<SessionWriteOptions, 'indexEnabled'>,
): Promise<void> {
  if (sessions.length === 0) return;
  if (options.indexEnabled) {
    await writeChunks(trx, hints, sessions.map(buildSummarySource));
    return;
  }
  const isCleared = ({ title, summary }: RuntimeSession): boolean => title === null && summary === null;
  // If a session has no title and no summary any more, its chunk is deleted even if indexing is off, so that the
  // removed text is no longer found.
  await writeChunks(trx, hints, sessions.filter(isCleared).map(buildSummarySource));
  for (const session of sessions) {
    if (!isCleared(session)) await noteUnindexedContent(trx, session.accountId, session.startedAt);
  }
}
