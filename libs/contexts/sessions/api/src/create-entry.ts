import type { Static } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import { CONTENT_BODY_LIMIT_BYTES, defineRoute, type Route, type RouteContext } from '@steward/http';
import type { SessionContentEntry, ContentBodyKind } from '@steward/sessions';
import { appendEntry, type AppendDeps } from './append-content.ts';
import { readEntries } from './read-entries.ts';
import { SessionParams, refuseOversizedText } from '@steward/api';
import { InteractionBody, StoredContentAnswer, ToolCallBody } from './session-content-schemas.ts';

/** POST /api/v1/runtime-sessions/{session_id}/interactions: stores one model call. */
export function createCreateInteractionRoute(deps: AppendDeps): Route {
  return defineRoute({
    ...STORES_ENTRY,
    operationId: 'storeInteraction',
    path: '/api/v1/runtime-sessions/{session_id}/interactions',
    summary: 'Store a model interaction.',
    description:
      'If MODEL_GATEWAY_CAPTURE_CONTENT is off, `request` and `response` are not stored; only metadata is stored and searchable.',
    body: InteractionBody,
    bodyExample: {
      model_alias: 'fast',
      provider_name: 'openai',
      request: { messages: [{ role: 'user', content: 'Why is the total wrong?' }] },
      response: { choices: [{ message: { role: 'assistant', content: 'The tax is added twice.' } }] },
      usage: { input_tokens: 12, output_tokens: 7 },
    },
    handler: storeEntry(deps, 'interaction', readEntries.interaction),
  });
}

/** POST /api/v1/runtime-sessions/{session_id}/tool-calls: stores one tool call with its result. */
export function createCreateToolCallRoute(deps: AppendDeps): Route {
  return defineRoute({
    ...STORES_ENTRY,
    operationId: 'storeToolCall',
    path: '/api/v1/runtime-sessions/{session_id}/tool-calls',
    summary: 'Store a tool call.',
    body: ToolCallBody,
    bodyExample: { tool_name: 'read_file', arguments: { path: 'cart.ts' }, result: 'export …', status: 'ok' },
    handler: storeEntry(deps, 'tool_call', readEntries.tool_call),
  });
}

/** Parts that are common to all routes that store one entry. */
const STORES_ENTRY = {
  method: 'post',
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
    201: {
      description: 'The entry was stored; the next search finds it.',
      name: 'StoredContent',
      schema: StoredContentAnswer,
    },
  },
  unaudited: 'Agents write sessions; the session is the record.',
} as const;

function storeEntry<Body>(deps: AppendDeps, kind: ContentBodyKind, read: (body: Body) => SessionContentEntry[]) {
  return (request: RouteContext<'bearer', Static<typeof SessionParams>, unknown, Body>) => {
    const { params, body, rawBody, principal, traceparent } = request;
    refuseOversizedText(body, rawBody.length);
    return appendEntry(deps, {
      principal,
      sessionId: params.session_id,
      entries: read(body),
      kind,
      rawBody,
      traceparent,
    });
  };
}
