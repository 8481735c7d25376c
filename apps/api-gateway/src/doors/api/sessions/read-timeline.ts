import { setImmediate as nextTurn } from 'node:timers/promises';
import { defineRoute, pageOf, PlainPageQuery, readLimit, type AnswerBody, type Route } from '@steward/http';
import { maskJson } from '@steward/masking';
import { listSessionTimeline, readRuntimeSession, type SessionContent } from '@steward/slice-sessions';
import { readsOriginals } from '../../../auth/reads-originals.ts';
import { findNextCursor, readTimelineCursor } from '../timeline-cursor.ts';
import { requireFound } from '../require-found.ts';
import type { SessionsDeps } from './sessions-deps.ts';
import { SessionParams } from './runtime-sessions-schemas.ts';
import { renderStoredContent, TimelineItem } from './session-content-schemas.ts';

/** GET /api/v1/runtime-sessions/{session_id}/timeline: all content of a session in the order it happened. */
export function createReadTimelineRoute(deps: Pick<SessionsDeps, 'db'>): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/runtime-sessions/{session_id}/timeline',
    auth: 'bearer',
    permissions: ['view_runtime_sessions'],
    tag: 'runtime sessions',
    summary: 'List the content of a session, oldest first.',
    description:
      'A page whose bodies are large holds fewer items than `limit`; follow `next_cursor`. Without `manage_runtime_sessions` credentials in the content read `[redacted]`.',
    params: SessionParams,
    query: PlainPageQuery,
    responses: { 200: { description: 'One page.', schema: pageOf(TimelineItem) } },
    handler: async ({ params, query, principal }) => {
      const key = { accountId: principal.accountId, sessionId: params.session_id };
      const after = readTimelineCursor(query.cursor);
      requireFound(await readRuntimeSession(deps.db, key));
      const page = await listSessionTimeline(deps.db, { ...key, after, limit: readLimit(query) });
      const { items } = page;
      return {
        status: 200,
        body: {
          items: readsOriginals(principal, params.session_id) ? items.map(renderItem) : await maskItems(items),
          next_cursor: findNextCursor(page),
        },
      };
    },
  });
}

type Item = AnswerBody<typeof TimelineItem>;

function renderItem(item: SessionContent): Item {
  return { ...renderStoredContent(item), content: item.content };
}

/** Item by item with a turn for other requests between: a page may hold megabytes. */
async function maskItems(items: readonly SessionContent[]): Promise<Item[]> {
  const masked: Item[] = [];
  for (const item of items) {
    masked.push(renderItem({ ...item, content: maskJson(item.content) }));
    await nextTurn();
  }
  return masked;
}
