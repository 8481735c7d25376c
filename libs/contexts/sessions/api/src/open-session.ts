import { AGENT_KINDS, AppError } from '@steward/contracts';
import type { Static } from '@sinclair/typebox';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { isNameOfCurrent, upsertRuntimeSession, readRuntimePrincipal } from '@steward/sessions';
import { requireReach, readTime } from '@steward/api';
import type { SessionWriteDeps } from './sessions-deps.ts';
import { OpenRuntimeSessionBody, RuntimeSessionAnswer, renderRuntimeSession } from './runtime-sessions-schemas.ts';

/**
 * POST /api/v1/runtime-sessions: opens a session; 201 for a new session, 200 for one that already exists for its
 * source.
 */
export function createOpenRuntimeSessionRoute(deps: SessionWriteDeps): Route {
  return defineRoute({
    operationId: 'openSession',
    method: 'post',
    path: '/api/v1/runtime-sessions',
    openTo: AGENT_KINDS,
    permissions: ['manage_runtime_sessions'],
    summary: 'Open a session, or update the existing session with the same source.',
    description: 'An ended session is updated, too, but stays ended.',
    body: OpenRuntimeSessionBody,
    bodyExample: {
      session_source_type: 'coding_agent',
      session_source_id: 'run-4711',
      title: 'Fix the cart',
      labels: ['team:shop'],
    },
    responses: {
      200: { description: 'The existing session.', name: 'RuntimeSession', schema: RuntimeSessionAnswer },
      201: { description: 'The new session.', name: 'RuntimeSession', schema: RuntimeSessionAnswer },
    },
    unaudited: 'Agents write sessions; the session is the record.',
    handler: async ({ body, principal, traceparent }) => {
      requireReach(principal, undefined);
      requireFreeName(body);
      const input = {
        accountId: principal.accountId,
        sessionSourceType: body.session_source_type,
        sessionSourceId: body.session_source_id,
        sessionReference: body.session_reference,
        ...readRuntimePrincipal(body, principal),
        apiKeyId: principal.apiKeyId,
        title: body.title,
        summary: body.summary,
        labels: body.labels,
        startedAt: readTime(body.started_at),
        now: deps.clock.now(),
      };
      const { session, created } = await transact({ ...deps, traceparent }, (trx, hints) =>
        upsertRuntimeSession(trx, hints, input, deps.options),
      );
      const answer = renderRuntimeSession(session, principal, deps.settings);
      return created ? { status: 201, body: answer } : { status: 200, body: answer };
    },
  });
}

function requireFreeName(body: Static<typeof OpenRuntimeSessionBody>): void {
  if (!isNameOfCurrent(body.session_source_type, body.session_source_id)) return;
  throw new AppError('invalid_request', {
    message: 'Session ids in this format are reserved for model calls without a session id. Choose another id.',
    detail: { field: 'session_source_id' },
  });
}
