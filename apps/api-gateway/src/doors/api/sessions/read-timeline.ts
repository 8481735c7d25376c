import { defineRoute, pageOf, PlainPageQuery, readLimit, type Route } from '@steward/http';
import { listSessionTimeline, readRuntimeSession } from '@steward/slice-sessions';
import { findNextCursor, readTimelineCursor } from '../timeline-cursor.ts';
import { requireFound } from '../require-found.ts';
import type { SessionsDeps } from './sessions-deps.ts';
import { SessionParams } from './runtime-sessions-schemas.ts';
import { renderTimeline } from './render-timeline.ts';
import { TimelineItem } from './session-content-schemas.ts';

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
          items: await renderTimeline(items, principal, params.session_id),
          next_cursor: findNextCursor(page),
        },
      };
    },
  });
}
