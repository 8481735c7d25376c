import { CONTENT_BODY_LIMIT_BYTES, defineRoute, type Route } from '@steward/http';
import { appendContent, type AppendDeps } from './append-content.ts';
import { readTime, SessionParams } from './runtime-sessions-schemas.ts';
import { InteractionBody, renderStoredContent, StoredContentAnswer } from './session-content-schemas.ts';
import { refuseOversizedText } from './text-limit.ts';

/** POST /api/v1/runtime-sessions/{session_id}/interactions: one model call. */
export function createCreateInteractionRoute(deps: AppendDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/runtime-sessions/{session_id}/interactions',
    auth: 'bearer',
    permissions: ['manage_runtime_sessions'],
    tag: 'runtime sessions',
    summary: 'Store a model interaction.',
    description:
      'With MODEL_GATEWAY_CAPTURE_CONTENT off request and response are not kept; only the metadata is stored and found.',
    params: SessionParams,
    body: InteractionBody,
    bodyLimitBytes: CONTENT_BODY_LIMIT_BYTES,
    responses: { 201: { description: 'Stored; the next search finds it.', schema: StoredContentAnswer } },
    handler: async ({ params, body, rawBody, principal }) => {
      refuseOversizedText(body, rawBody.length);
      const { stored } = await appendContent(deps, {
        principal,
        sessionId: params.session_id,
        entries: [
          {
            kind: 'gateway_interaction',
            modelAlias: body.model_alias,
            providerName: body.provider_name,
            request: body.request,
            response: body.response,
            status: body.status,
            inputTokens: body.usage?.input_tokens,
            outputTokens: body.usage?.output_tokens,
            costUsd: body.usage?.cost_usd,
            occurredAt: readTime(body.occurred_at),
          },
        ],
      });
      return { status: 201, body: stored.map(renderStoredContent)[0] };
    },
  });
}
