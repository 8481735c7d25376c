import { transact, type AnyDatabase } from '@steward/database';
import { writePreparedChunks } from '@steward/slice-search';
import { findLatestActivityBefore, holdSessions } from '@steward/slice-sessions';
import { takeWithin } from '../rules/take-within.ts';
import { movePast, noteFailed, pauseWalk, type Walk } from '../rules/walk.ts';
import { upsertWatermark } from '../store/watermark.store.ts';
import type { WalkBudget } from '../walk-budget.ts';
import type { StopReason } from '../watermark.ts';
import type { WalkDeps, WalkRequest } from './advance-walk.ts';
import { dropChangedSummaries } from './drop-changed-summaries.ts';
import { holdAccount } from './hold-account.ts';
import type { Batch } from './read-batch.ts';

export type BatchOutcome =
  | { readonly kind: 'written'; readonly walk: Walk; readonly keptAt: Date }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'busy' };

/**
 * Writes what of a batch the budget leaves room for, and moves the watermark past the sessions that are whole by then, in one
 * transaction: a stop or a crash loses nothing that was written.
 */
export async function writeBatch(
  deps: WalkDeps,
  request: WalkRequest,
  { batch, walk, keptAt }: { readonly batch: Batch; readonly walk: Walk; readonly keptAt: Date | undefined },
): Promise<BatchOutcome> {
  const { accountId, budget, signal, traceparent } = request;
  const isOver = signal.aborted || budget.exhausted(0) !== undefined;
  const fitting = isOver ? [] : takeWithin(batch.sources, budget);
  const reason = isOver ? 'pass_seconds' : findStop(batch, fitting, budget);
  const failed = batch.failed.filter(({ end }) => end <= fitting.length);
  const outcome = await transact({ ...deps, traceparent }, async (trx, hints) => {
    if (!(await holdAccount(trx, accountId, keptAt))) return undefined;
    // One that was deleted since it was read gets no chunks any more.
    const sessionIds = new Set(fitting.map(({ source }) => source.runtimeSessionId));
    const held = await holdSessions(trx, accountId, [...sessionIds]);
    const present = fitting.filter(({ source }) => held.has(source.runtimeSessionId));
    const current = await dropChangedSummaries(trx, accountId, present);
    const { written, chunks } = await writePreparedChunks(trx, hints, current, { seen: batch.seen });
    const past = batch.wholes.filter(({ end }) => end <= fitting.length).at(-1)?.session;
    const added = {
      ...noteFailed(
        walk,
        failed.map(({ session }) => session),
      ),
      written: walk.written + written,
    };
    const moved = past === undefined ? added : movePast(added, past);
    const indexedFrom = reason === undefined ? walk.indexedFrom : await findUncoveredEnd(trx, accountId, moved);
    const kept = await upsertWatermark(trx, accountId, pauseWalk({ ...moved, indexedFrom }, reason ?? 'account_rows'));
    return { chunks, walk: moved, keptAt: kept };
  });
  if (outcome === undefined) return { kind: 'busy' };
  budget.spend(outcome.chunks);
  for (const source of failed) request.onFailed?.(source);
  return reason === undefined ? { kind: 'written', ...outcome } : { kind: 'stopped', reason };
}

/** The limit that a batch meets, by what does not fit or by what it takes; none for the last one when it fits. */
function findStop(batch: Batch, fitting: Batch['sources'], budget: WalkBudget): StopReason | undefined {
  const rows = fitting.reduce((sum, { chunks }) => sum + chunks.length, 0);
  const refused = batch.sources[fitting.length];
  if (refused === undefined && batch.next === undefined) return undefined;
  return budget.exhausted(rows + (refused?.chunks.length ?? 1));
}

/** Time of the newest content the walk has not come to: from there on the corpus is complete. */
async function findUncoveredEnd(trx: AnyDatabase, accountId: string, walk: Walk): Promise<Date | null> {
  const { cursor: before, touchedSince } = walk;
  if (before === undefined) return walk.indexedFrom;
  return (await findLatestActivityBefore(trx, { accountId, before, touchedSince })) ?? null;
}
