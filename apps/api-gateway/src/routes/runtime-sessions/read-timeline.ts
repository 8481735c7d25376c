import { Type } from '@sinclair/typebox';
import { decodeTimeCursor, defineRoute, encodeCursor, PageQuery, pageOf, type Route } from '@steward/http';
import { AppError } from '@steward/runtime';
import { listSessionTimeline, readRuntimeSession } from '@steward/slice-gateway';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { SessionParams } from './runtime-sessions-schemas.ts';
import { renderStoredContent, TimelineItem } from './session-content-schemas.ts';

/** GET /api/v1/runtime-sessions/{session_id}/timeline: all content of a session in the order it happened. */
export function createReadTimelineRoute(deps: Pick<GatewayDeps, 'db'>): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/runtime-sessions/{session_id}/timeline',
    auth: 'bearer',
    permissions: ['view_runtime_sessions'],
    tag: 'runtime sessions',
    summary: 'List the content of a session, oldest first.',
    description: 'A page whose bodies are large holds fewer items than `limit`; follow `next_cursor`.',
    params: SessionParams,
    query: Type.Object(PageQuery),
    responses: { 200: { description: 'One page.', schema: pageOf(TimelineItem) } },
    handler: async ({ params, query, principal }) => {
      const key = { accountId: principal.accountId, sessionId: params.session_id };
      const after = decodeTimeCursor(query.cursor);
      if ((await readRuntimeSession(deps.db, key)) === undefined) throw new AppError('not_found');
      const { items, hasMore } = await listSessionTimeline(deps.db, {
        ...key,
        after: after === undefined ? undefined : { occurredAt: after.at, id: after.id },
        limit: query.limit ?? 50,
      });
      const last = items.at(-1);
      return {
        status: 200,
        body: {
          items: items.map((item) => ({ ...renderStoredContent(item), content: item.content })),
          next_cursor: hasMore && last !== undefined ? encodeCursor(last.occurredAt, last.id) : null,
        },
      };
    },
  });
}
