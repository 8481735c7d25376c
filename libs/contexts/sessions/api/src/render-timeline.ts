import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Principal } from '@steward/contracts';
import type { AnswerBody } from '@steward/http';
import { maskJson } from '@steward/masking';
import type { SessionContent } from '@steward/sessions';
import { readsOriginals } from '@steward/api';
import { renderStoredContent, type TimelineItem } from './session-content-schemas.ts';

type Item = AnswerBody<typeof TimelineItem>;

/**
 * Returns content of a session as shown to a caller: credentials are masked, unless the caller may see original content
 * (`readsOriginals`).
 */
export function renderTimeline(items: readonly SessionContent[], reader: Principal, sessionId: string) {
  return readsOriginals(reader, sessionId) ? items.map(renderItem) : maskItems(items);
}

function renderItem(item: SessionContent): Item {
  return { ...renderStoredContent(item), content: item.content, content_error: item.contentError };
}

/**
 * Renders content with masked credentials. Other requests are processed between the items, because a page may contain
 * megabytes.
 */
async function maskItems(items: readonly SessionContent[]): Promise<Item[]> {
  const masked: Item[] = [];
  for (const item of items) {
    masked.push(renderItem({ ...item, content: maskJson(item.content) }));
    await nextTurn();
  }
  return masked;
}
