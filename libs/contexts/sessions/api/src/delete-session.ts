import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { deleteRuntimeSession } from '@steward/sessions';
import { requireReach, SessionParams } from '@steward/api';
import type { SessionWriteDeps } from './sessions-deps.ts';

/**
 * DELETE /api/v1/runtime-sessions/{session_id}: deletes a session. The session is invisible to all callers once the
 * response is sent; its content is deleted in the background.
 */
export function createDeleteRuntimeSessionRoute(deps: Pick<SessionWriteDeps, 'db' | 'broker'>): Route {
  return defineRoute({
    operationId: 'deleteSession',
    method: 'delete',
    path: '/api/v1/runtime-sessions/{session_id}',
    permissions: ['manage_runtime_sessions'],
    summary: 'Permanently delete a session and all of its content.',
    description:
      'After the response, the session can no longer be found or read; its content is deleted in the background. The request is refused with 409 `legal_hold` for a session under legal hold, and with 409 `execution_active` for the session of an active execution. Content sent later with the same source opens a new session.',
    params: SessionParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'runtime_session' },
    handler: async ({ params, principal, audit, traceparent }) => {
      // An agent cannot delete the records by which it is judged, including its own session.
      requireReach(principal, undefined);
      const key = { accountId: principal.accountId, sessionId: params.session_id };
      await transact({ ...deps, traceparent }, async (trx) => {
        const { kind } = await deleteRuntimeSession(trx, key);
        if (kind === 'execution_active')
          throw new AppError(kind, { message: 'The execution of this session is still active.' });
        if (kind !== 'deleted') throw new AppError(kind);
        await recordAudit(trx, audit({ resourceId: key.sessionId }));
      });
      return { status: 204 };
    },
  });
}
