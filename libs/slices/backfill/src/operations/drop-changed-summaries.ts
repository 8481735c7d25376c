import type { AnyTransaction } from '@steward/database';
import { lockSources, prepareChunks, type PreparedChunks } from '@steward/slice-search';
import { buildSummarySource, readRuntimeSessions } from '@steward/slice-sessions';

/**
 * Leaves out titles that were changed since they were read: whoever did so wrote theirs, took the old one back, or noted that the
 * session is to be walked. Until the end of the transaction those who change one of the others wait.
 */
export async function dropChangedSummaries(
  trx: AnyTransaction,
  accountId: string,
  sources: readonly PreparedChunks[],
): Promise<readonly PreparedChunks[]> {
  const sessionIds = sources.filter(isSummary).map(({ source }) => source.sourceId);
  if (sessionIds.length === 0) return sources;
  await lockSummaries(trx, accountId, sessionIds);
  // Only now: before, somebody may have changed one and not yet come to its chunks.
  const sessions = await readRuntimeSessions(trx, { accountId, sessionIds });
  return sources.filter((prepared) => {
    if (!isSummary(prepared)) return true;
    const session = sessions.get(prepared.source.sourceId);
    return session !== undefined && prepareChunks(buildSummarySource(session)).hash.equals(prepared.hash);
  });
}

/** Makes who writes chunks of these titles wait until the end of the transaction. */
export async function lockSummaries(
  trx: AnyTransaction,
  accountId: string,
  sessionIds: readonly string[],
): Promise<void> {
  const keys = [...sessionIds].sort().map((sourceId) => ({ accountId, sourceKind: SUMMARY, sourceId }));
  await lockSources(trx, keys);
}

const SUMMARY = 'session_summary' as const;
const isSummary = ({ source }: PreparedChunks): boolean => source.sourceKind === SUMMARY;
