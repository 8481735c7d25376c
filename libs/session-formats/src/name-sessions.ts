import { UNNAMED_SESSION } from './format-reader.ts';
import { hashContent } from './rules/entry-id.ts';
import type { SessionFormat, SessionItem } from './session-item.ts';

/**
 * Formats that are lists of messages. If such a list does not name its session, the name is derived from the content.
 */
const NAMED_BY_CONTENT: ReadonlySet<SessionFormat | undefined> = new Set<SessionFormat | undefined>([
  ...(['openai_chat', 'anthropic_messages', 'vercel_ui'] as const),
]);

/**
 * Maximum number of entries that are held until the name is known; the first entries of a longer list determine the
 * name.
 */
const MOST_ITEMS = 5000;
const MOST_CHARS = 4 * 1024 * 1024;

/**
 * Derives the name of a session from its content if the file contains no name, so that the same file gets the same name
 * regardless of its sender.
 */
export function createSessionNamer() {
  let held: SessionItem[] = [];
  let chars = 0;
  let name: string | undefined;

  const give = (item: SessionItem, sourceId: string): SessionItem => ({
    ...item,
    session: { ...item.session, sourceId },
  });
  function release(): readonly SessionItem[] {
    const items = held;
    held = [];
    if (items.length === 0) return [];
    const sourceId = (name ??= hashContent(items.map(({ entry: { externalId, kind } }) => [kind, externalId])));
    return items.map((item) => give(item, sourceId));
  }

  return {
    *pass(items: Iterable<SessionItem>, format: SessionFormat | undefined): Generator<SessionItem> {
      for (const item of items) {
        if (item.session.sourceId !== UNNAMED_SESSION || !NAMED_BY_CONTENT.has(format)) yield item;
        else if (name !== undefined) yield give(item, name);
        else {
          held.push(item);
          chars += JSON.stringify(item.entry).length;
          if (held.length >= MOST_ITEMS || chars > MOST_CHARS) yield* release();
        }
      }
    },
    /** Returns the held entries at the end of the file. */
    release,
  };
}
