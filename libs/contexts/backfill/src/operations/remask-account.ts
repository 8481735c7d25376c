import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import { holdSessions, listSessionChunkSources, readRuntimeSession, type ContentObjects } from '@steward/sessions';
import {
  listOutdatedChunks,
  listOutdatedSources,
  maskLeftoverChunks,
  writeChunks,
  type OutdatedPlace,
} from '@steward/search';
import { tryLockAccount } from '../store/watermark.store.ts';
import type { WalkBudget } from '../walk-budget.ts';
import { lockSummaries } from './drop-changed-summaries.ts';

export interface RemaskDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  /** Object store with large bodies of content; undefined if there is none. */
  readonly contentObjects?: ContentObjects | undefined;
}

export interface RemaskRequest {
  readonly accountId: string;
  readonly budget: WalkBudget;
  readonly traceparent: string;
  readonly signal: AbortSignal;
}

const CHUNKS_PER_PAGE = 500;
const SOURCES_PER_PAGE = 100;

/**
 * Masks those chunks of an account again that were masked with older rules, newest first. The chunks are built from the
 * original content if it still exists; this also updates their fingerprints. Needs no watermark: finished chunks are no
 * longer found, so an interrupted walk continues where it stopped. Returns true if nothing is left.
 */
export async function remaskAccount(deps: RemaskDeps, request: RemaskRequest): Promise<boolean> {
  const { accountId, budget, signal } = request;
  const done = new Set<string>();
  let after: OutdatedPlace | undefined;
  for (;;) {
    const chunks = await listOutdatedChunks(deps.db, { accountId, after, limit: CHUNKS_PER_PAGE });
    if (chunks.length === 0) return true;
    for (const { sessionId } of chunks) {
      if (done.has(sessionId)) continue;
      if (signal.aborted || budget.exhausted() !== undefined) return false;
      if (!(await remaskSession(deps, request, sessionId))) return false;
      done.add(sessionId);
    }
    after = chunks.at(-1);
  }
}

/** Masks the chunks of a session again. Returns false if another sweeper is working on the account. */
async function remaskSession(deps: RemaskDeps, request: RemaskRequest, sessionId: string): Promise<boolean> {
  const { accountId, budget } = request;
  if (!(await rewriteSources(deps, request, sessionId))) return false;
  for (;;) {
    const masked = await transact(deps, async (trx) =>
      (await tryLockAccount(trx, accountId, 'remask')) ? maskLeftoverChunks(trx, { accountId, sessionId }) : undefined,
    );
    if (masked === undefined) return false;
    if (masked === 0) return true;
    budget.spend(masked);
  }
}

/**
 * Writes the chunks of a session's sources again, one page of sources per transaction, so that writers of the session
 * wait no longer than one transaction. Returns false if another sweeper is working on the account.
 */
async function rewriteSources(deps: RemaskDeps, request: RemaskRequest, sessionId: string): Promise<boolean> {
  const { accountId, budget, traceparent } = request;
  let after: Awaited<ReturnType<typeof listSessionChunkSources>>['next'];
  do {
    const page = after === undefined ? { limit: SOURCES_PER_PAGE } : { after, limit: SOURCES_PER_PAGE };
    const outcome = await transact({ ...deps, traceparent }, async (trx, hints) => {
      if (!(await tryLockAccount(trx, accountId, 'remask'))) return undefined;
      await holdSessions(trx, accountId, [sessionId]);
      await lockSummaries(trx, accountId, [sessionId]);
      const session = await readRuntimeSession(trx, { accountId, sessionId });
      if (session === undefined) return { chunks: 0, next: undefined };
      const outdated = await listOutdatedSources(trx, accountId, sessionId);
      if (outdated.size === 0) return { chunks: 0, next: undefined };
      const isNeeded = ({ kind, id }: { readonly kind: string; readonly id: string }) => outdated.has(`${kind}:${id}`);
      const request = { ...page, isNeeded };
      const { sources, next } = await listSessionChunkSources(trx, session, request, deps.contentObjects);
      const stale = sources.filter(({ sourceKind, sourceId }) => outdated.has(`${sourceKind}:${sourceId}`));
      return { chunks: (await writeChunks(trx, hints, stale)).chunks, next };
    });
    if (outcome === undefined) return false;
    budget.spend(outcome.chunks);
    after = outcome.next;
  } while (after !== undefined);
  return true;
}
