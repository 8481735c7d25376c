import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { AnyDatabase } from '@steward/database';
import { listIndexedSources, prepareChunks, type PreparedChunks } from '@steward/search';
import {
  buildSummarySource,
  listContentPlaces,
  listRuntimeSessions,
  readStoredSources,
  type ContentObjects,
  type ContentPlace,
  type RuntimeSession,
  type StoredSource,
} from '@steward/sessions';
import { cutBatch } from '../rules/cut-batch.ts';
import type { Place } from '../watermark.ts';

/**
 * Position at which reading continues: after the last completely read session, or inside the session that follows it.
 */
export interface ReadPlace {
  readonly behind: Place | undefined;
  readonly within: { readonly sessionId: string; readonly after: Pick<ContentPlace, 'occurredAt' | 'id'> } | undefined;
}

export interface FailedSource {
  readonly session: RuntimeSession;
  readonly sourceId: string;
  readonly error: unknown;
  /** Number of entries of the batch's `sources` that precede this source in the walk. */
  readonly end: number;
}

/** Chunks that are missing for some sessions, ready to be written. */
export interface Batch {
  /** In the order of the walk. */
  readonly sources: readonly PreparedChunks[];
  /** The sessions that were read, by id. */
  readonly sessions: ReadonlyMap<string, RuntimeSession>;
  /** Hashes of the sources that already had chunks when the batch was read, by `kind:id`. */
  readonly seen: ReadonlyMap<string, Buffer>;
  /**
   * Sessions that were read up to their end, in the order of the walk, each with the number of `sources` up to its end.
   */
  readonly wholes: readonly { readonly session: Place; readonly end: number }[];
  readonly failed: readonly FailedSource[];
  /** Undefined if no sessions remain. */
  readonly next: ReadPlace | undefined;
}

export interface ReadDeps {
  readonly db: AnyDatabase;
  readonly contentObjects?: ContentObjects | undefined;
}

export interface BatchRequest {
  readonly accountId: string;
  readonly since: Date | undefined;
  readonly touchedSince: Date | undefined;
  readonly at: ReadPlace;
  /**
   * Maximum number of sources without chunks, not counting titles and summaries; nearly all produce at least one row.
   */
  readonly mostSources: number;
}

const SESSIONS_PER_BATCH = 100;
const PLACES_PER_BATCH = 2000;
const BODY_BYTES_PER_BATCH = 8 * 1024 * 1024;

/**
 * Reads the next sources without chunks and prepares their chunks. Uses few statements for many sessions; a batch is
 * limited in sources and bytes. Runs outside of any transaction: concurrent changes are detected when the batch is
 * written.
 */
export async function readBatch({ db, contentObjects }: ReadDeps, request: BatchRequest): Promise<Batch> {
  const { accountId, since, touchedSince, at, mostSources } = request;
  const page = { accountId, since, touchedSince, after: at.behind, limit: SESSIONS_PER_BATCH };
  const sessions = await listRuntimeSessions(db, page);
  const isWithin = at.within !== undefined && sessions[0]?.id === at.within.sessionId;
  const sessionIds = sessions.map(({ id }) => id);
  const places = await listContentPlaces(db, {
    accountId,
    sessionIds,
    after: isWithin ? at.within?.after : undefined,
    limit: PLACES_PER_BATCH,
  });
  const begun = sessions.slice(isWithin ? 1 : 0);
  const seen = await listIndexedSources(db, accountId, [
    ...begun.map(({ id }) => ({ sourceKind: 'session_summary', sourceId: id })),
    ...places.map(({ kind, id }) => ({ sourceKind: kind, sourceId: id })),
  ]);
  const cut = cutBatch(
    { sessionIds, places, isListFull: places.length === PLACES_PER_BATCH },
    ({ kind, id }) => !seen.has(`${kind}:${id}`),
    { sources: mostSources, bytes: BODY_BYTES_PER_BATCH },
  );
  const missing = cut.missing.map(({ id }) => id);
  const stored = await readStoredSources(db, sessions, missing, contentObjects);
  const summaries = begun.map((session) => ({ session, id: session.id, render: () => buildSummarySource(session) }));
  const read = sessions.slice(0, cut.wholeSessions + (cut.within === undefined ? 0 : 1));
  const prepared = await prepareSessions(read, [...summaries, ...stored], seen);
  const isEnd = cut.wholeSessions === sessions.length && sessions.length < SESSIONS_PER_BATCH;
  const behind = sessions[cut.wholeSessions - 1] ?? at.behind;
  return {
    ...prepared,
    sessions: new Map(sessions.map((session) => [session.id, session])),
    seen,
    wholes: prepared.ends.slice(0, cut.wholeSessions),
    next: isEnd ? undefined : { behind, within: cut.within },
  };
}

/**
 * Prepares the missing chunks of these sessions. Yields to the event loop regularly, so that the statements of the
 * previous batch continue in the meantime.
 */
async function prepareSessions(
  sessions: readonly RuntimeSession[],
  stored: readonly StoredSource[],
  seen: ReadonlyMap<string, Buffer>,
) {
  const bySession = Map.groupBy(stored, ({ session }) => session.id);
  const sources: PreparedChunks[] = [];
  const failed: FailedSource[] = [];
  const ends: { readonly session: Place; readonly end: number }[] = [];
  for (const session of sessions) {
    for (const { id, render } of bySession.get(session.id) ?? []) {
      try {
        const prepared = prepareChunks(render());
        // A title or summary may have changed while indexing was off, so its hash is compared; for all other sources,
        // only the id is compared.
        const known = seen.get(`${prepared.source.sourceKind}:${id}`);
        const isNothing = known === undefined && prepared.chunks.length === 0;
        if (!isNothing && known?.equals(prepared.hash) !== true) sources.push(prepared);
      } catch (error) {
        failed.push({ session, sourceId: id, error, end: sources.length });
      }
      await yieldToOthers();
    }
    ends.push({ session, end: sources.length });
  }
  return { sources, failed, ends };
}
