import { Type } from '@sinclair/typebox';
import { AGENT_KINDS, AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { endRuntimeSession } from '@steward/sessions';
import { requireReach, SessionParams } from '@steward/api';
import type { SessionWriteDeps } from './sessions-deps.ts';
import { RuntimeSessionAnswer, renderRuntimeSession } from './runtime-sessions-schemas.ts';

/**
 * POST /api/v1/runtime-sessions/{session_id}/end: ends a session. Ending a session again returns the same record and
 * emits no second event.
 */
export function createEndRuntimeSessionRoute(deps: SessionWriteDeps): Route {
  return defineRoute({
    operationId: 'endSession',
    method: 'post',
    path: '/api/v1/runtime-sessions/{session_id}/end',
    openTo: AGENT_KINDS,
    permissions: ['manage_runtime_sessions'],
    summary: 'End a session (reason `operator`).',
    description: 'Emits `session.ended` once. Ending an ended session changes nothing.',
    params: SessionParams,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    responses: { 200: { description: 'The ended session.', name: 'RuntimeSession', schema: RuntimeSessionAnswer } },
    audit: { action: 'end', resourceType: 'runtime_session' },
    handler: async ({ params, principal, audit, traceparent }) => {
      requireReach(principal, params.session_id);
      const { accountId } = principal;
      const session = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const input = { accountId, sessionId: params.session_id, reason: 'operator' as const, now: deps.clock.now() };
        const outcome = await endRuntimeSession(trx, hints, input, deps.options);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'ended') {
          await recordAudit(trx, audit({ resourceId: outcome.session.id }));
        }
        return outcome.session;
      });
      return { status: 200, body: renderRuntimeSession(session, principal, deps.settings) };
    },
  });
}
