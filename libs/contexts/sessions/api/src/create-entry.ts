import type { Static, TSchema } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import { CONTENT_BODY_LIMIT_BYTES, defineRoute, type Route } from '@steward/http';
import type { SessionContentEntry, ContentBodyKind } from '@steward/sessions';
import { appendEntry, type AppendDeps } from './append-content.ts';
import { readEntries } from './read-entries.ts';
import { SessionParams, refuseOversizedText } from '@steward/api';
import { InteractionBody, StoredContentAnswer, ToolCallBody } from './session-content-schemas.ts';

/** POST /api/v1/runtime-sessions/{session_id}/interactions: stores one model call. */
export function createCreateInteractionRoute(deps: AppendDeps): Route {
  return createEntryRoute(deps, {
    operationId: 'storeInteraction',
    collection: 'interactions',
    kind: 'interaction',
    summary: 'Store a model interaction.',
    description:
      'With MODEL_GATEWAY_CAPTURE_CONTENT off, request and response are not stored; only metadata is stored and searchable.',
    body: InteractionBody,
    read: readEntries.interaction,
  });
}

/** POST /api/v1/runtime-sessions/{session_id}/tool-calls: stores one tool call with its result. */
export function createCreateToolCallRoute(deps: AppendDeps): Route {
  return createEntryRoute(deps, {
    operationId: 'storeToolCall',
    collection: 'tool-calls',
    kind: 'tool_call',
    summary: 'Store a tool call.',
    body: ToolCallBody,
    read: readEntries.tool_call,
  });
}

interface EntryKind<Body extends TSchema> {
  readonly operationId: string;
  readonly collection: string;
  readonly kind: ContentBodyKind;
  readonly summary: string;
  readonly description?: string;
  readonly body: Body;
  readonly read: (body: Static<Body>) => SessionContentEntry[];
}

function createEntryRoute<Body extends TSchema>(
  deps: AppendDeps,
  { collection, kind, read, ...about }: EntryKind<Body>,
): Route {
  return defineRoute({
    ...about,
    method: 'post',
    path: `/api/v1/runtime-sessions/{session_id}/${collection}`,
    openTo: AGENT_KINDS,
    permissions: ['manage_runtime_sessions'],
    params: SessionParams,
    bodyLimitBytes: CONTENT_BODY_LIMIT_BYTES,
    responses: {
      200: {
        description: 'The existing entry with this external_id.',
        name: 'StoredContent',
        schema: StoredContentAnswer,
      },
      201: { description: 'Stored; the next search finds it.', name: 'StoredContent', schema: StoredContentAnswer },
    },
    unaudited: 'Agents write sessions; the session is the record.',
    handler: async ({ params, body, rawBody, principal, traceparent }) => {
      refuseOversizedText(body, rawBody.length);
      const entries = read(body);
      return appendEntry(deps, { principal, sessionId: params.session_id, entries, kind, rawBody, traceparent });
    },
  });
}
