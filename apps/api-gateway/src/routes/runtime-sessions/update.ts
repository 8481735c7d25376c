import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { AppError } from '@steward/runtime';
import { recordAudit, updateRuntimeSession, toSessionWriteOptions } from '@steward/slice-gateway';
import { describeActor } from '../../auth/describe-actor.ts';
import { requireReach } from '../../auth/require-reach.ts';
import type { GatewayDeps } from '../../gateway-deps.ts';
import {
  RuntimeSessionAnswer,
  renderRuntimeSession,
  SessionParams,
  UpdateRuntimeSessionBody,
} from './runtime-sessions-schemas.ts';

/** PATCH /api/v1/runtime-sessions/{session_id}: title and summary, with the chunk made of them. */
export function createUpdateRuntimeSessionRoute(
  deps: Pick<GatewayDeps, 'db' | 'broker' | 'settings' | 'clock'>,
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
    handler: async ({ params, body, principal, requestId }) => {
      requireReach(principal, params.session_id);
      const { accountId } = principal;
      const session = await transact(deps, async (trx, hints) => {
        const input = { accountId, sessionId: params.session_id, ...body, now: deps.clock.now() };
        const updated = await updateRuntimeSession(trx, hints, input, options);
        if (updated === undefined) throw new AppError('not_found');
        await recordAudit(trx, {
          accountId,
          actor: describeActor(principal),
          source: 'console',
          action: 'update',
          resourceType: 'runtime_session',
          resourceId: updated.id,
          status: 'success',
          details: { fields: Object.keys(body) },
          requestId,
        });
        return updated;
      });
      return { status: 200, body: renderRuntimeSession(session) };
    },
  });
}
