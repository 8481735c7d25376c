import { NOTHING, type ReadRecord } from '../format-reader.ts';
import type { Fields } from '../rules/json-access.ts';
import type { SessionItem } from '../session-item.ts';
import { beginsAnswer, createStreamJoin, findStreamKind, type StreamJoin } from './stream-events.ts';

/**
 * Reads events that a file contains one per line, as they were streamed; a response is read when it is complete, when
 * another record follows, or at the end of the file.
 */
export function createStreamReader(readAnswer: (response: Fields) => Iterable<SessionItem>) {
  let stream: { readonly first: Fields; readonly join: StreamJoin } | undefined;

  function release(): readonly SessionItem[] {
    const response = stream?.join.answer();
    stream = undefined;
    return response === undefined ? [] : [...readAnswer(response)];
  }

  return {
    /** Reads a record; returns undefined if it is not an event. */
    read(record: Fields): ReadRecord | undefined {
      const kind = findStreamKind(record);
      if (kind === undefined) return stream !== undefined && record['type'] === 'ping' ? NOTHING : undefined;
      const items = beginsAnswer(record, stream?.first) ? release() : [];
      stream ??= { first: record, join: createStreamJoin(kind) };
      return { items: stream.join.add(record) ? [...items, ...release()] : items };
    },
    /** Puts the streamed response before a record of another kind. */
    before(read: ReadRecord): ReadRecord {
      const items = release();
      return items.length === 0 ? read : { ...read, items: [...items, ...read.items] };
    },
    end: release,
  };
}
