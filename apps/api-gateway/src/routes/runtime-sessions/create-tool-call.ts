import { CONTENT_BODY_LIMIT_BYTES, defineRoute, type Route } from '@steward/http';
import { appendContent, type AppendDeps } from './append-content.ts';
import { readTime, SessionParams } from './runtime-sessions-schemas.ts';
import { renderStoredContent, StoredContentAnswer, ToolCallBody } from './session-content-schemas.ts';
import { refuseOversizedText } from './text-limit.ts';

/** POST /api/v1/runtime-sessions/{session_id}/tool-calls: one call of a tool with its result. */
export function createCreateToolCallRoute(deps: AppendDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/runtime-sessions/{session_id}/tool-calls',
    auth: 'bearer',
    permissions: ['manage_runtime_sessions'],
    tag: 'runtime sessions',
    summary: 'Store a tool call.',
    params: SessionParams,
    body: ToolCallBody,
    bodyLimitBytes: CONTENT_BODY_LIMIT_BYTES,
    responses: { 201: { description: 'Stored; the next search finds it.', schema: StoredContentAnswer } },
    handler: async ({ params, body, rawBody, principal }) => {
      refuseOversizedText(body, rawBody.length);
      const { stored } = await appendContent(deps, {
        principal,
        sessionId: params.session_id,
        entries: [
          {
            kind: 'tool_call',
            toolName: body.tool_name,
            arguments: body.arguments,
            result: body.result,
            status: body.status,
            occurredAt: readTime(body.occurred_at),
          },
        ],
      });
      return { status: 201, body: stored.map(renderStoredContent)[0] };
    },
  });
}
