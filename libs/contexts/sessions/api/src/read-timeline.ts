import { Type, type Static } from '@sinclair/typebox';
import { AGENT_KINDS, AppError, SESSION_CONTENT_KINDS } from '@steward/contracts';
import { defineRoute, nullable, pageOf, PageQuery, readLimit, type Route } from '@steward/http';
import { listSessionTimeline, listTimelineAround, readRuntimeSession } from '@steward/sessions';
import {
  noteDenied,
  noteRead,
  type ReadDeps,
  requireFound,
  buildTimelineCursor,
  findNextCursor,
  readTimelineCursor,
  SessionParams,
} from '@steward/api';
import type { SessionsDeps } from './sessions-deps.ts';
import { renderTimeline } from './render-timeline.ts';
import { TimelineItem } from './session-content-schemas.ts';

const Query = Type.Object(
  {
    ...PageQuery,
    order: Type.Optional(
      Type.Unsafe<'asc' | 'desc'>({
        type: 'string',
        enum: ['asc', 'desc'],
        description: 'Oldest first (`asc`, the default) or newest first.',
      }),
    ),
    kind: Type.Optional(
      Type.Unsafe<(typeof SESSION_CONTENT_KINDS)[number]>({
        type: 'string',
        enum: [...SESSION_CONTENT_KINDS],
        description: 'Only content of this kind.',
      }),
    ),
    around: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Entry around which the page is returned: an `id` of the timeline, or the `source_id` of a search match.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Page = Type.Object({
  ...pageOf(TimelineItem).properties,
  previous_cursor: nullable(
    Type.String(),
    'Cursor for the entries before a page that was requested with `around`. It must be used with the opposite `order`. Null if there are no such entries.',
  ),
});

/** GET /api/v1/runtime-sessions/{session_id}/timeline: returns all content of a session in order. */
export function createReadTimelineRoute(deps: Pick<SessionsDeps, 'db' | 'contentObjects'> & ReadDeps): Route {
  return defineRoute({
    operationId: 'readTimeline',
    method: 'get',
    path: '/api/v1/runtime-sessions/{session_id}/timeline',
    openTo: AGENT_KINDS,
    permissions: ['view_runtime_sessions'],
    summary: 'List the content of a session, oldest first.',
    description:
      'A page with large bodies may contain fewer items than `limit`. Use `next_cursor` to continue. A cursor is only a position; the `order` of each request determines the direction in which reading continues. A body in an object store that does not respond is returned as null, with `content_error`. If the caller does not have the permission `manage_runtime_sessions`, or uses the token of an execution to read data of another session, credentials in the content are replaced by `[redacted]`.',
    params: SessionParams,
    query: Query,
    responses: { 200: { description: 'A page of content.', name: 'TimelineEntry', schema: Page } },
    audit: { action: 'read', resourceType: 'runtime_session' },
    onRefused: noteDenied(deps, 'timeline'),
    handler: async ({ params, query, principal, audit }) => {
      const key = { accountId: principal.accountId, sessionId: params.session_id };
      const after = readPlace(query);
      requireFound(await readRuntimeSession(deps.db, key));
      const page = await readPage(deps, { ...key, ...query, limit: readLimit(query), after });
      const { items, hasFormer } = page;
      const noted = noteRead(deps, { what: 'timeline', resourceId: params.session_id, principal, audit });
      const first = items[0];
      const rendered = await renderTimeline(items, principal, params.session_id);
      await noted;
      return {
        status: 200,
        body: {
          items: rendered,
          next_cursor: findNextCursor(page),
          previous_cursor: hasFormer && first !== undefined ? buildTimelineCursor(first) : null,
        },
      };
    },
  });
}

function readPlace({ cursor, around }: Static<typeof Query>) {
  if (cursor !== undefined && around !== undefined)
    throw new AppError('invalid_request', {
      message: '"around" can be used only for the first page; request further pages with only "cursor".',
      detail: { field: 'around' },
    });
  return readTimelineCursor(cursor);
}

type Asked = Parameters<typeof listSessionTimeline>[1] & { readonly around?: string | undefined };

async function readPage(
  { db, contentObjects }: Pick<SessionsDeps, 'db' | 'contentObjects'>,
  { around, ...asked }: Asked,
) {
  if (around === undefined) return { ...(await listSessionTimeline(db, asked, contentObjects)), hasFormer: false };
  return requireFound(await listTimelineAround(db, { ...asked, contentId: around }, contentObjects));
}
