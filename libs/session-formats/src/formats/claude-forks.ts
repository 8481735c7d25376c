import { boundedId, hashContent } from '../rules/entry-id.ts';
import { firstText, toFields, type Fields } from '../rules/json-access.ts';
import type { ImportedEntry, SessionItem } from '../session-item.ts';

/** Minimum length of an id, in characters, for it to be considered unique. */
const LEAST_ID_CHARS = 16;
const MOST_FORKED = 20_000;

/**
 * Names the originals of copied entries. A fork contains the lines of the original session with the same line ids, but
 * with its own session id. In a fork made by the SDK, the lines have new ids, and name the original ones
 * (`forkedFrom`). Entries with the same id and content are copies of each other.
 */
export function createForkedIds() {
  const formerIds = new Map<string, string>();
  return {
    note(line: Fields): void {
      const [id, former] = [firstText(line['uuid']), firstText(toFields(line['forkedFrom'])['messageUuid'])];
      if (id === undefined || former === undefined) return;
      formerIds.set(boundedId(id), boundedId(former));
      const [oldest] = formerIds.keys();
      if (formerIds.size > MOST_FORKED && oldest !== undefined) formerIds.delete(oldest);
    },
    *tellOrigins(items: Iterable<SessionItem>): Generator<SessionItem, void, undefined> {
      for (const { session, entry } of items) {
        const id = formerIds.get(entry.externalId) ?? entry.externalId;
        const origin = id.length < LEAST_ID_CHARS ? undefined : `claude_code:${id}:${hashContent(readBody(entry))}`;
        yield { session, entry: origin === undefined ? entry : { ...entry, origin } };
      }
    },
  };
}

/** Returns the part of an entry that does not change when a result arrives. */
function readBody(entry: ImportedEntry): unknown {
  if (entry.kind === 'tool_call') return [entry.toolName, entry.arguments];
  return entry.kind === 'message' ? [entry.role, entry.content] : [entry.request];
}
