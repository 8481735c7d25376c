import { NOTHING, type ReadRecord } from '../format-reader.ts';
import type { Fields } from '../rules/json-access.ts';
import type { SessionItem } from '../session-item.ts';
import { beginsAnswer, createStreamJoin, findStreamKind, type StreamJoin } from './stream-events.ts';

/** Reads events that stand in a file as they were streamed, a line each; an answer is read when it is whole, or another record follows. */
export function createStreamReader(readAnswer: (response: Fields) => Iterable<SessionItem>) {
  let stream: { readonly first: Fields; readonly join: StreamJoin } | undefined;

  function release(): readonly SessionItem[] {
    const response = stream?.join.answer();
    stream = undefined;
    return response === undefined ? [] : [...readAnswer(response)];
  }

  return {
    /** Undefined for what is no event. */
    read(record: Fields): ReadRecord | undefined {
      const kind = findStreamKind(record);
      if (kind === undefined) return stream !== undefined && record['type'] === 'ping' ? NOTHING : undefined;
      const items = beginsAnswer(record, stream?.first) ? release() : [];
      stream ??= { first: record, join: createStreamJoin(kind) };
      return { items: stream.join.add(record) ? [...items, ...release()] : items };
    },
    /** What was streamed goes before a record of another kind. */
    before(read: ReadRecord): ReadRecord {
      const items = release();
      return items.length === 0 ? read : { ...read, items: [...items, ...read.items] };
    },
    end: release,
  };
}
