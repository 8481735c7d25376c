import { AGENT_KINDS, AppError, type Principal } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { updateRuntimeSession } from '@steward/sessions';
import { requireReach, requireFound, SessionParams } from '@steward/api';
import type { SessionWriteDeps } from './sessions-deps.ts';
import { RuntimeSessionAnswer, renderRuntimeSession, UpdateRuntimeSessionBody } from './runtime-sessions-schemas.ts';

/**
 * Refuses a change of the legal hold by an agent, since the hold determines whether a session may be deleted.
 * @throws permission_denied
 */
function requirePerson({ restrictedKind }: Principal): void {
  if (restrictedKind === undefined) return;
  throw new AppError('permission_denied', {
    message: 'The credential of an agent cannot change a legal hold.',
    detail: { permission: 'manage_runtime_sessions' },
  });
}

/**
 * PATCH /api/v1/runtime-sessions/{session_id}: changes the title and summary (and reindexes both), labels, and legal
 * hold.
 */
export function createUpdateRuntimeSessionRoute(deps: SessionWriteDeps): Route {
  return defineRoute({
    operationId: 'updateSession',
    method: 'patch',
    path: '/api/v1/runtime-sessions/{session_id}',
    openTo: AGENT_KINDS,
    permissions: ['manage_runtime_sessions'],
    summary: 'Update title, summary, labels or legal hold of a session.',
    params: SessionParams,
    body: UpdateRuntimeSessionBody,
    bodyExample: { title: 'Fix the cart’s total', legal_hold: true },
    responses: { 200: { description: 'The updated session.', name: 'RuntimeSession', schema: RuntimeSessionAnswer } },
    audit: { resourceType: 'runtime_session' },
    handler: async ({ params, body, principal, audit, traceparent }) => {
      if (body.legal_hold !== undefined) requirePerson(principal);
      requireReach(principal, params.session_id);
      const { accountId } = principal;
      const session = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const { legal_hold: legalHold, ...words } = body;
        const input = { accountId, sessionId: params.session_id, ...words, legalHold, now: deps.clock.now() };
        const updated = requireFound(await updateRuntimeSession(trx, hints, input, deps.options));
        const held = legalHold === undefined ? {} : { legal_hold: legalHold };
        await recordAudit(trx, audit({ resourceId: updated.id, details: { fields: Object.keys(body), ...held } }));
        return updated;
      });
      return { status: 200, body: renderRuntimeSession(session, principal, deps.settings) };
    },
  });
}
