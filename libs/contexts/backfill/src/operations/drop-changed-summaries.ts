import { isDeepStrictEqual } from 'node:util';
import type { AnyTransaction } from '@steward/database';
import { lockSources, type PreparedChunks } from '@steward/search';
import { buildSummarySource, readRuntimeSessions, type RuntimeSession } from '@steward/sessions';

/**
 * Returns the sources of the batch, except for titles and summaries that have changed since they were read: a
 * transaction that changes one also writes its new chunks, removes the old ones, or marks the session for a backfill.
 * The remaining titles and summaries cannot change until this transaction ends.
 */
export async function dropChangedSummaries(
  trx: AnyTransaction,
  accountId: string,
  {
    sources,
    read,
  }: { readonly sources: readonly PreparedChunks[]; readonly read: ReadonlyMap<string, RuntimeSession> },
): Promise<readonly PreparedChunks[]> {
  const sessionIds = sources.filter(isSummary).map(({ source }) => source.sourceId);
  if (sessionIds.length === 0) return sources;
  await lockSummaries(trx, accountId, sessionIds);
  // The sessions are read under the lock: otherwise a title or summary could change after this read, and the chunks of
  // the former text would be written.
  const sessions = await readRuntimeSessions(trx, { accountId, sessionIds });
  return sources.filter((prepared) => {
    if (!isSummary(prepared)) return true;
    const [before, now] = [read, sessions].map((each) => each.get(prepared.source.sourceId));
    return before !== undefined && now !== undefined && hasSameSummary(before, now);
  });
}

function hasSameSummary(one: RuntimeSession, other: RuntimeSession): boolean {
  return isDeepStrictEqual(buildSummarySource(one), buildSummarySource(other));
}

/** Blocks other writers of the chunks of these sessions' titles and summaries until the end of the transaction. */
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
