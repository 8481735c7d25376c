import type { OtlpSpan } from '@steward/otlp';
import { readTraces, type SessionItem } from '@steward/session-formats';
import { toStorableJson } from '@steward/text';
import { gatherBatches, type SessionBatch } from '../../session-batches/gather-batches.ts';
import type { BatchWriter } from '../../session-batches/write-batches.ts';

/** Stores what spans say, a batch of one session at a time; what was stored before an error stays, and is skipped when it comes again. */
export async function storeSpans(spans: readonly OtlpSpan[], writer: BatchWriter, now: () => Date): Promise<void> {
  const batches = gatherBatches(now);
  const sessionIds = new Set<string>();
  const store = async (ready: readonly SessionBatch[]): Promise<void> => {
    for (const batch of ready) {
      const { sessionId } = await writer.store(batch);
      if (sessionId !== undefined) sessionIds.add(sessionId);
    }
  };
  for (const item of readTraces(spans)) {
    await store(batches.add([toStorableItem(item)], JSON.stringify(item.entry).length));
  }
  await store(batches.flush());
  await writer.close(sessionIds);
}

/** After JSON in texts was read: what no column can hold may have been written in its escapes. */
function toStorableItem({ session, entry: { occurredAt, ...entry } }: SessionItem): SessionItem {
  return { session: toStorableJson(session), entry: { ...toStorableJson(entry), occurredAt } as SessionItem['entry'] };
}
