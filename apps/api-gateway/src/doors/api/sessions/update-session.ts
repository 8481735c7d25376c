import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/slice-audit';
import { updateRuntimeSession, toSessionWriteOptions } from '@steward/slice-sessions';
import { requireReach } from '../../../auth/require-reach.ts';
import type { SessionsDeps } from './sessions-deps.ts';
import {
  RuntimeSessionAnswer,
  renderRuntimeSession,
  SessionParams,
  UpdateRuntimeSessionBody,
} from './runtime-sessions-schemas.ts';

/** PATCH /api/v1/runtime-sessions/{session_id}: title and summary, with the chunk made of them. */
export function createUpdateRuntimeSessionRoute(
  deps: Pick<SessionsDeps, 'db' | 'broker' | 'settings' | 'clock'>,
): Route {
  const options = toSessionWriteOptions(deps.settings);
  return defineRoute({
    method: 'patch',
    path: '/api/v1/runtime-sessions/{session_id}',
    auth: 'bearer',
    permissions: ['manage_runtime_sessions'],
    tag: 'runtime sessions',
    summary: 'Change title or summary of a session.',
    params: SessionParams,
    body: UpdateRuntimeSessionBody,
    responses: { 200: { description: 'The session as it is now.', schema: RuntimeSessionAnswer } },
    audit: { action: 'update', resourceType: 'runtime_session' },
    handler: async ({ params, body, principal, audit, traceparent }) => {
      requireReach(principal, params.session_id);
      const { accountId } = principal;
      const session = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const input = { accountId, sessionId: params.session_id, ...body, now: deps.clock.now() };
        const updated = await updateRuntimeSession(trx, hints, input, options);
        if (updated === undefined) throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: updated.id, details: { fields: Object.keys(body) } }));
        return updated;
      });
      return { status: 200, body: renderRuntimeSession(session, principal) };
    },
  });
}
