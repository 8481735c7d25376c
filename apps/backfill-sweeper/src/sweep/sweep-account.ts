import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Clock } from '@steward/runtime';
import {
  findWatermark,
  tryLockAccount,
  upsertWatermark,
  type PassStopReason,
  type WatermarkTable,
} from '@steward/slice-backfill';
import { listRuntimeSessions, listSessionChunkSources, type RuntimeSession } from '@steward/slice-gateway';
import { listIndexedSources, writeChunks } from '@steward/slice-search';
import type { PassBudget } from './pass-budget.ts';

export interface SweepDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
}

export interface SweepRequest {
  readonly accountId: string;
  /** Sessions that started before are not walked; undefined without an age bound. */
  readonly horizon: Date | undefined;
  readonly budget: PassBudget;
  readonly signal: AbortSignal;
}

const SESSIONS_PER_PAGE = 50;
const SOURCES_PER_PAGE = 100;

/**
 * Walks one account's sessions newest first from where the last pass stopped, and writes the chunks that are missing.
 * The watermark moves only past sessions that are indexed whole: a session cut short by the budget is read again, and
 * writes nothing twice.
 */
export async function sweepAccount(
  deps: SweepDeps,
  request: SweepRequest,
): Promise<PassStopReason | 'busy' | 'complete'> {
  const known = await findWatermark(deps.db, request.accountId);
  if (known?.state === 'complete') return 'complete';
  request.budget.startAccount();
  let cursor = readCursor(known);
  let written = known?.sources_written ?? 0;
  for (;;) {
    const sessions = await listRuntimeSessions(deps.db, {
      accountId: request.accountId,
      since: request.horizon,
      after: cursor,
      limit: SESSIONS_PER_PAGE,
    });
    for (const session of sessions) {
      const outcome = await sweepSession(deps, request, { session, cursor, written });
      if (outcome.kind === 'busy') return 'busy';
      written = outcome.written;
      if (outcome.kind === 'stopped') return outcome.reason;
      cursor = { startedAt: session.startedAt, id: session.id };
    }
    if (sessions.length === 0) return finish(deps, request.accountId, { cursor, written });
  }
}

interface Place {
  readonly startedAt: Date;
  readonly id: string;
}

type SessionOutcome =
  | { readonly kind: 'indexed'; readonly written: number }
  | { readonly kind: 'stopped'; readonly written: number; readonly reason: PassStopReason }
  | { readonly kind: 'busy' };

/** One page of sources per transaction: a budget stop or a crash loses nothing that was written. */
async function sweepSession(
  deps: SweepDeps,
  request: SweepRequest,
  at: { readonly session: RuntimeSession; readonly cursor: Place | undefined; readonly written: number },
): Promise<SessionOutcome> {
  let { written } = at;
  let after: Awaited<ReturnType<typeof listSessionChunkSources>>['next'];
  do {
    const reason = request.signal.aborted ? 'pass_seconds' : request.budget.exhausted();
    const page: { after?: typeof after; limit: number } = { limit: SOURCES_PER_PAGE };
    if (after !== undefined) page.after = after;
    const outcome = await transact(deps, async (trx, hints) => {
      if (!(await tryLockAccount(trx, request.accountId))) return { kind: 'busy' as const };
      if (reason !== undefined) {
        await saveWatermark(trx, deps, request.accountId, { cursor: at.cursor, written, reason });
        return { kind: 'stopped' as const };
      }
      const { sources, next } = await listSessionChunkSources(trx, at.session, page);
      const indexed = await listIndexedSources(trx, request.accountId, sources);
      const missing = sources.filter((source) => !indexed.has(`${source.sourceKind}:${source.sourceId}`));
      const result = await writeChunks(trx, hints, missing);
      if (next === undefined) {
        const place = { startedAt: at.session.startedAt, id: at.session.id };
        await saveWatermark(trx, deps, request.accountId, {
          cursor: place,
          written: written + result.written,
          reason: 'account_rows',
        });
      }
      return { kind: 'indexed' as const, next, sources: result.written, chunks: result.chunks };
    });
    if (outcome.kind === 'busy') return outcome;
    if (outcome.kind === 'stopped') return { kind: 'stopped', written, reason: reason ?? 'pass_seconds' };
    request.budget.spend(outcome.chunks);
    written += outcome.sources;
    after = outcome.next;
  } while (after !== undefined);
  return { kind: 'indexed', written };
}

async function finish(
  deps: SweepDeps,
  accountId: string,
  end: { readonly cursor: Place | undefined; readonly written: number },
): Promise<'finished'> {
  const now = deps.clock.now();
  await upsertWatermark(deps.db, {
    account_id: accountId,
    state: 'complete',
    cursor_started_at: end.cursor?.startedAt ?? null,
    cursor_session_id: end.cursor?.id ?? null,
    sources_written: end.written,
    last_pass_at: now,
    stop_reason: 'finished',
    completed_at: now,
  });
  return 'finished';
}

async function saveWatermark(
  trx: AnyDatabase,
  deps: Pick<SweepDeps, 'clock'>,
  accountId: string,
  place: { readonly cursor: Place | undefined; readonly written: number; readonly reason: PassStopReason },
): Promise<void> {
  await upsertWatermark(trx, {
    account_id: accountId,
    state: 'in_progress',
    cursor_started_at: place.cursor?.startedAt ?? null,
    cursor_session_id: place.cursor?.id ?? null,
    sources_written: place.written,
    last_pass_at: deps.clock.now(),
    stop_reason: place.reason,
    completed_at: null,
  });
}

function readCursor(watermark: WatermarkTable | undefined): Place | undefined {
  const { cursor_started_at: startedAt, cursor_session_id: id } = watermark ?? {};
  return startedAt === null || startedAt === undefined || id === null || id === undefined
    ? undefined
    : { startedAt, id };
}
