import type { HintSink, SessionContentKind } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { listIndexedSources, writeChunks } from '@steward/search';
import { buildStoredSource } from '../../content/rules/chunk-source.ts';
import { adoptOrphans } from '../../content/store/copied-content.store.ts';
import { toSessionContent } from '../../content/store/session-content.store.ts';
import { findSessions, toRuntimeSession } from '../../sessions/store/find-session.store.ts';

/** These chunks need no hint: the indexer finds them without one. */
const SILENT: HintSink = { traceparent: '', add: () => undefined, within: () => SILENT };

/** Deleted entries with copies in a fork are found and counted in the fork from now on (IMP-13). */
export async function handOver(
  trx: AnyTransaction,
  accountId: string,
  deleted: readonly { readonly id: string; readonly kind: SessionContentKind }[],
): Promise<void> {
  const heirs = await adoptOrphans(
    trx,
    accountId,
    deleted.map(({ id }) => id),
  );
  if (heirs.length === 0) return;
  const sources = deleted.map(({ id, kind }) => ({ sourceId: id, sourceKind: kind }));
  // Unindexed content is recorded as such.
  if ((await listIndexedSources(trx, accountId, sources)).size === 0) return;
  const rows = await findSessions(trx, accountId, [...new Set(heirs.map((heir) => heir.runtime_session_id))]);
  const sessions = new Map(rows.map((row) => [row.id, toRuntimeSession(row)]));
  const chunks = heirs.map(toSessionContent).flatMap((heir) => {
    const session = sessions.get(heir.runtimeSessionId);
    return session === undefined ? [] : [buildStoredSource(session, heir)];
  });
  await writeChunks(trx, SILENT, chunks);
}
