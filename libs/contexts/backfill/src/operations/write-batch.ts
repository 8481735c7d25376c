import type { HintSink } from '@steward/contracts';
import { transact, type AnyDatabase, type AnyTransaction, type Committer } from '@steward/database';
import { writePreparedChunks } from '@steward/search';
import { holdSessions } from '@steward/sessions';
import { takeWithin } from '../rules/take-within.ts';
import { findLatest, movePast, noteFailed, pauseWalk, type Walk } from '../rules/walk.ts';
import { commitWithoutFlush } from '../store/commit.store.ts';
import { addPassRows } from '../store/pass.store.ts';
import { upsertWatermark } from '../store/watermark.store.ts';
import type { WalkBudget } from '../walk-budget.ts';
import type { StopReason } from '../watermark.ts';
import type { WalkDeps, WalkRequest } from './advance-walk.ts';
import { dropChangedSummaries } from './drop-changed-summaries.ts';
import { findUncovered } from './find-uncovered.ts';
import { holdAccount } from './hold-account.ts';
import type { Batch } from './read-batch.ts';

export type BatchOutcome =
  | { readonly kind: 'written'; readonly walk: Walk; readonly keptAt: Date }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'busy' };

export interface Turn {
  readonly batch: Batch;
  readonly walk: Walk;
  readonly keptAt: Date | undefined;
  /** True if this pass has not written a batch of the account yet. */
  readonly isFirst: boolean;
}

/**
 * Writes as much of a batch as the budget allows, and moves the watermark past the sessions that are then complete, in
 * one transaction: a stop or a crash of this process loses nothing that was written.
 */
export async function writeBatch(
  deps: WalkDeps,
  request: WalkRequest,
  { batch, walk, keptAt, isFirst }: Turn,
): Promise<BatchOutcome> {
  const { accountId, budget, signal, traceparent } = request;
  const fitting = signal.aborted ? [] : takeFitting(batch, budget);
  const reason = signal.aborted ? 'pass_seconds' : findStop(batch, fitting, budget);
  const failed = batch.failed.filter(({ end }) => end <= fitting.length);
  const past = batch.wholes.filter(({ end }) => end <= fitting.length).at(-1)?.session;
  // The account got no share of this pass: its watermark stays unchanged, so it keeps its place in the order of
  // accounts.
  if (isFirst && reason !== undefined && fitting.length === 0 && past === undefined) return { kind: 'stopped', reason };
  const outcome = await transactWithinPass({ ...deps, traceparent }, async (trx, hints) => {
    await commitWithoutFlush(trx);
    if (!(await holdAccount(trx, accountId, keptAt))) return undefined;
    // A session that has been deleted since it was read gets no chunks.
    const sessionIds = new Set(fitting.map(({ source }) => source.runtimeSessionId));
    const held = await holdSessions(trx, accountId, [...sessionIds]);
    const present = fitting.filter(({ source }) => held.has(source.runtimeSessionId));
    const current = await dropChangedSummaries(trx, accountId, { sources: present, read: batch.sessions });
    const { written, chunks } = await writePreparedChunks(trx, hints, current, { seen: batch.seen });
    const added = {
      ...noteFailed(
        walk,
        failed.map(({ session }) => session),
      ),
      written: walk.written + written,
    };
    const moved = past === undefined ? added : movePast(added, past);
    const indexedFrom = reason === undefined ? walk.indexedFrom : await findIndexedFrom(trx, accountId, moved);
    const kept = await upsertWatermark(trx, accountId, pauseWalk({ ...moved, indexedFrom }, reason ?? 'account_rows'));
    await claimPassRows(trx, chunks, request.mostPassRows);
    return { chunks, walk: moved, keptAt: kept };
  });
  if (outcome === 'no room') return { kind: 'stopped', reason: 'pass_rows' };
  if (outcome === undefined) return { kind: 'busy' };
  budget.spend(outcome.chunks);
  for (const source of failed) request.onFailed?.(source);
  return reason === undefined ? { kind: 'written', ...outcome } : { kind: 'stopped', reason };
}

/**
 * Counts rows toward the pass limit, which all sweepers share.
 * @throws PassIsFull if the rows exceed the limit, so that the transaction that writes them is rolled back
 */
async function claimPassRows(trx: AnyTransaction, rows: number, most: number | undefined): Promise<void> {
  if (rows === 0 || most === undefined) return;
  if (!(await addPassRows(trx, { rows, most }))) throw new PassIsFull();
}

class PassIsFull extends Error {}

async function transactWithinPass<T>(
  deps: Committer,
  work: (trx: AnyTransaction, hints: HintSink) => Promise<T>,
): Promise<T | 'no room'> {
  try {
    return await transact(deps, work);
  } catch (error) {
    if (error instanceof PassIsFull) return 'no room';
    throw error;
  }
}

/**
 * Returns the sources that fit into the budget. If reading used up the time before anything was written, the first
 * source is written nevertheless: otherwise the same sources would be read again in every pass.
 */
function takeFitting({ sources }: Batch, budget: WalkBudget): Batch['sources'] {
  if (budget.exhausted(0) === undefined) return takeWithin(sources, budget);
  return budget.isUntouched() ? sources.slice(0, 1) : [];
}

/**
 * Returns the limit that stops the walk at this batch: the next source of the batch, or any source of a further batch,
 * would exceed this limit. Returns undefined if the walk can continue, or if this is its last batch and the batch fits
 * completely.
 */
function findStop(batch: Batch, fitting: Batch['sources'], budget: WalkBudget): StopReason | undefined {
  const rows = fitting.reduce((sum, { chunks }) => sum + chunks.length, 0);
  const refused = batch.sources[fitting.length];
  if (refused === undefined && batch.next === undefined) return undefined;
  return budget.exhausted(rows + (refused?.chunks.length ?? 1));
}

/** Returns the time from which the corpus is complete; null if no unindexed content is left. */
async function findIndexedFrom(trx: AnyDatabase, accountId: string, walk: Walk): Promise<Date | null> {
  if (walk.cursor === undefined) return walk.indexedFrom;
  const { unread, unwalked } = await findUncovered(trx, accountId, { walk, before: walk.cursor });
  return findLatest([unread, unwalked]) ?? null;
}
