import type { HintSink, SessionContentKind } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { listIndexedSources, writeChunks } from '@steward/search';
import { buildStoredSource } from '../../content/rules/chunk-source.ts';
import { adoptOrphans } from '../../content/store/copied-content.store.ts';
import { openWholeContent } from '../../content/operations/open-content.ts';
import type { ContentObjects } from '../../objects/content-objects.ts';
import { findSessions, toRuntimeSession } from '../../sessions/store/find-session.store.ts';

/** Sink that publishes no hint for these chunks: the indexer finds them without one. */
const SILENT: HintSink = { traceparent: '', add: () => undefined, within: () => SILENT };

/**
 * Turns the oldest copy of each deleted entry into the original: from now on, searches find the entry, and statistics
 * count it, in the session of this copy (IMP-13).
 * @throws AppError `unavailable` if the body of a copy cannot be read at the moment
 */
export async function handOver(
  trx: AnyTransaction,
  accountId: string,
  deleted: readonly { readonly id: string; readonly kind: SessionContentKind }[],
  objects?: ContentObjects,
): Promise<void> {
  const heirs = await adoptOrphans(
    trx,
    accountId,
    deleted.map(({ id }) => id),
  );
  if (heirs.length === 0) return;
  const sources = deleted.map(({ id, kind }) => ({ sourceId: id, sourceKind: kind }));
  // If none of the deleted entries was indexed, the copies need no chunks either: unindexed content is recorded
  // separately.
  if ((await listIndexedSources(trx, accountId, sources)).size === 0) return;
  const rows = await findSessions(trx, accountId, [...new Set(heirs.map((heir) => heir.runtime_session_id))]);
  const sessions = new Map(rows.map((row) => [row.id, toRuntimeSession(row)]));
  const chunks = (await openWholeContent(trx, objects, heirs)).flatMap((heir) => {
    const session = sessions.get(heir.runtimeSessionId);
    return session === undefined ? [] : [buildStoredSource(session, heir)];
  });
  await writeChunks(trx, SILENT, chunks);
}
