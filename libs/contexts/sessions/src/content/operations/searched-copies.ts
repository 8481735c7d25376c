import type { HintSink } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { writeChunks, type ChunkSource } from '@steward/search';
import { findSessions, toRuntimeSession } from '../../sessions/store/find-session.store.ts';
import { noteChanged } from '../../sessions/store/session-activity.store.ts';
import { buildStoredSource } from '../rules/chunk-source.ts';
import type { ContentObjects } from '../../objects/content-objects.ts';
import type { SessionContent } from '../session-content.ts';
import { listCopiesOf, listOtherCopies } from '../store/copied-content.store.ts';
import { toSessionContent } from '../store/session-content.store.ts';
import { noteUnindexedContent } from '../store/unindexed-content.store.ts';
import { openContent } from './open-content.ts';

/** Returns the ids of searchable entries: originals, and copies that differ from their originals (IMP-13). */
export async function chooseSearched(
  db: AnyDatabase,
  accountId: string,
  contents: readonly Pick<SessionContent, 'id' | 'copyOf'>[],
): Promise<ReadonlySet<string>> {
  const copies = contents.filter(({ copyOf }) => copyOf !== null).map(({ id }) => id);
  const searched = new Set(contents.filter(({ copyOf }) => copyOf === null).map(({ id }) => id));
  if (copies.length > 0) for (const id of await listOtherCopies(db, accountId, copies)) searched.add(id);
  return searched;
}

/**
 * Indexes the copies of rewritten entries again: copies that differ from their originals become searchable, and the
 * chunks of equal copies are deleted, so that no entry is found twice. Copies whose bodies cannot be read at the moment
 * are indexed later by the sweeper: the rewritten entry is stored anyway.
 */
export async function indexCopiesAnew(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, originalIds }: { readonly accountId: string; readonly originalIds: readonly string[] },
  objects: ContentObjects | undefined,
): Promise<void> {
  const copyRows = await listCopiesOf(trx, accountId, originalIds);
  if (copyRows.length === 0) return;
  const searched = await chooseSearched(trx, accountId, copyRows.map(toSessionContent));
  const found = copyRows.filter(({ id }) => searched.has(id));
  const hidden = copyRows.filter(({ id }) => !searched.has(id)).map(toSessionContent);
  const opened = await openContent(trx, objects, found);
  await indexLater(
    trx,
    accountId,
    opened.filter(({ contentError }) => contentError === 'unavailable'),
  );
  const copies = [...opened.filter(({ contentError }) => contentError === null), ...hidden];
  const rows = await findSessions(trx, accountId, [...new Set(copies.map((copy) => copy.runtimeSessionId))]);
  const sessions = new Map(rows.map((row) => [row.id, toRuntimeSession(row)]));
  const sources = copies.flatMap((copy) => {
    const session = sessions.get(copy.runtimeSessionId);
    return session === undefined ? [] : [showOrHide(buildStoredSource(session, copy), searched)];
  });
  await writeChunks(trx, hints, sources);
}

/** Records copies for the sweeper, which reads the sessions that were changed since its previous pass. */
async function indexLater(trx: AnyTransaction, accountId: string, copies: readonly SessionContent[]): Promise<void> {
  if (copies.length === 0) return;
  const latest = Math.max(...copies.map(({ occurredAt }) => occurredAt.getTime()));
  await noteUnindexedContent(trx, accountId, new Date(latest));
  await noteChanged(
    trx,
    accountId,
    copies.map(({ runtimeSessionId }) => runtimeSessionId),
  );
}

/** Returns the source, without its text if the source is not searchable: without text, it results in no chunks. */
export function showOrHide(source: ChunkSource, searched: ReadonlySet<string>): ChunkSource {
  return searched.has(source.sourceId) ? source : { ...source, text: '' };
}
