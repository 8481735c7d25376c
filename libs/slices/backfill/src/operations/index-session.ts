import { transact, type AnyDatabase } from '@steward/database';
import { listIndexedSources, writeChunks } from '@steward/slice-search';
import { findLatestActivityBefore, listSessionChunkSources, type RuntimeSession } from '@steward/slice-sessions';
import { takeWithin } from '../rules/take-within.ts';
import { movePast, pauseWalk, type Walk } from '../rules/walk.ts';
import { tryLockAccount, upsertWatermark } from '../store/watermark.store.ts';
import type { StopReason } from '../watermark.ts';
import type { WalkDeps, WalkRequest } from './advance-walk.ts';

const SOURCES_PER_PAGE = 100;

type SessionOutcome =
  | { readonly kind: 'indexed'; readonly written: number }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'busy' };

/** At most one page of sources per transaction, or what the budget leaves of it: a stop or a crash loses nothing that was written. */
export async function indexSession(
  deps: WalkDeps,
  request: WalkRequest,
  at: { readonly session: RuntimeSession; readonly walk: Walk },
): Promise<SessionOutcome> {
  const { accountId, budget, signal, traceparent } = request;
  const { session, walk } = at;
  let { written } = walk;
  let after: Awaited<ReturnType<typeof listSessionChunkSources>>['next'];
  let isWhole = false;
  // Of the page: not every text has a chunk, and one without any would be missing for ever.
  const tried = new Set<string>();
  do {
    const reason = signal.aborted ? 'pass_seconds' : budget.exhausted();
    const outcome = await transact({ ...deps, traceparent }, async (trx, hints) => {
      if (!(await tryLockAccount(trx, accountId))) return { kind: 'busy' as const };
      if (reason !== undefined) {
        const stopped = { ...walk, written, indexedFrom: await findUncoveredEnd(trx, accountId, walk) };
        await upsertWatermark(trx, accountId, pauseWalk(stopped, { now: deps.clock.now(), reason }));
        return { kind: 'stopped' as const, reason };
      }
      const page = after === undefined ? { limit: SOURCES_PER_PAGE } : { after, limit: SOURCES_PER_PAGE };
      const { sources, next } = await listSessionChunkSources(trx, session, page);
      const indexed = await listIndexedSources(trx, accountId, sources);
      // A title may have changed while indexing was off: its text is compared, which of all others only the id needs to be.
      const missing = sources.filter(
        (source) =>
          !tried.has(nameSource(source)) &&
          (source.sourceKind === 'session_summary' || !indexed.has(nameSource(source))),
      );
      const fitting = takeWithin(missing, budget.left());
      const isCut = fitting.length < missing.length;
      const result = await writeChunks(trx, hints, fitting);
      if (!isCut && next === undefined) {
        const moved = movePast({ ...walk, written: written + result.written }, session);
        await upsertWatermark(trx, accountId, pauseWalk(moved, { now: deps.clock.now(), reason: 'account_rows' }));
      }
      return { kind: 'indexed' as const, fitting, isCut, next, ...result };
    });
    if (outcome.kind !== 'indexed') return outcome;
    budget.spend(outcome.chunks);
    written += outcome.written;
    if (outcome.isCut) {
      for (const source of outcome.fitting) tried.add(nameSource(source));
    } else {
      tried.clear();
      after = outcome.next;
      isWhole = after === undefined;
    }
  } while (!isWhole);
  return { kind: 'indexed', written };
}

function nameSource({ sourceKind, sourceId }: { readonly sourceKind: string; readonly sourceId: string }): string {
  return `${sourceKind}:${sourceId}`;
}

/** Time of the newest content the walk has not come to: from there on the corpus is complete. */
async function findUncoveredEnd(trx: AnyDatabase, accountId: string, walk: Walk): Promise<Date | null> {
  const { cursor: before, touchedSince } = walk;
  if (before === undefined) return walk.indexedFrom;
  return (await findLatestActivityBefore(trx, { accountId, before, touchedSince })) ?? null;
}
