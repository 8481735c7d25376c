import type { AnyDatabase } from '@steward/database';
import type { OtlpSpan } from '@steward/otlp';
import {
  listEntryIds,
  listUnnamedSpans,
  OTLP_SOURCE_TYPE,
  readTraces,
  type SessionItem,
} from '@steward/session-formats';
import {
  findTracedSessions,
  type TracedSessions,
  gatherBatches,
  type SessionBatch,
  type BatchWriter,
} from '@steward/sessions';
import { toStorableJson } from '@steward/text';

export interface StoreSpansDeps {
  readonly db: AnyDatabase;
  readonly accountId: string;
  readonly writer: BatchWriter;
  readonly now: () => Date;
}

/**
 * Stores the content of spans, one batch of one session at a time; batches stored before an error remain, and are
 * skipped when they are sent again.
 */
export async function storeSpans(spans: readonly OtlpSpan[], deps: StoreSpansDeps): Promise<void> {
  const batches = gatherBatches(deps.now);
  const sessionIds = new Set<string>();
  const store = async (ready: readonly SessionBatch[]): Promise<void> => {
    for (const batch of ready) {
      const { sessionId } = await deps.writer.store(batch);
      if (sessionId !== undefined) sessionIds.add(sessionId);
    }
  };
  for (const item of readTraces(spans, await findKnown(spans, deps))) {
    await store(batches.add(toStorableItem(item)));
  }
  await store(batches.flush());
  await deps.writer.close(sessionIds);
}

/**
 * Finds the stored sessions of the same traces. These sessions are needed only for spans that do not name their
 * session.
 */
async function findKnown(
  spans: readonly OtlpSpan[],
  { db, accountId }: StoreSpansDeps,
): Promise<TracedSessions | undefined> {
  const unnamed = listUnnamedSpans(spans);
  if (unnamed.length === 0) return undefined;
  return findTracedSessions(db, {
    accountId,
    sourceType: OTLP_SOURCE_TYPE,
    traceIds: [...new Set(unnamed.map(({ traceId }) => traceId))],
    externalIds: unnamed.flatMap(listEntryIds),
  });
}

/**
 * Makes an item storable. Must be called after JSON in strings has been parsed, because escape sequences in that JSON
 * may stand for characters that no column can store.
 */
function toStorableItem({ session, entry: { occurredAt, ...entry } }: SessionItem): SessionItem {
  return { session: toStorableJson(session), entry: { ...toStorableJson(entry), occurredAt } as SessionItem['entry'] };
}
