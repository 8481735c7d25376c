import type { Static } from '@sinclair/typebox';
import { transact } from '@steward/database';
import { defineRoute, type Principal, type Route } from '@steward/http';
import { upsertRuntimeSession, toSessionWriteOptions } from '@steward/slice-gateway';
import { requireReach } from '../../auth/require-reach.ts';
import type { GatewayDeps } from '../../gateway-deps.ts';
import {
  OpenRuntimeSessionBody,
  RuntimeSessionAnswer,
  readTime,
  renderRuntimeSession,
} from './runtime-sessions-schemas.ts';

/** POST /api/v1/runtime-sessions: 201 for a new session, 200 for the one its source already has. */
export function createOpenRuntimeSessionRoute(deps: Pick<GatewayDeps, 'db' | 'broker' | 'settings' | 'clock'>): Route {
  const options = toSessionWriteOptions(deps.settings);
  return defineRoute({
    method: 'post',
    path: '/api/v1/runtime-sessions',
    auth: 'bearer',
    permissions: ['manage_runtime_sessions'],
    tag: 'runtime sessions',
    summary: 'Open a session, or fill in the one its source already has.',
    description: 'An ended session is answered as it is and stays ended.',
    body: OpenRuntimeSessionBody,
    responses: {
      200: { description: 'The session existed.', schema: RuntimeSessionAnswer },
      201: { description: 'The session is new.', schema: RuntimeSessionAnswer },
    },
    handler: async ({ body, principal }) => {
      requireReach(principal, undefined);
      const input = {
        accountId: principal.accountId,
        sessionSourceType: body.session_source_type,
        sessionSourceId: body.session_source_id,
        sessionReference: body.session_reference,
        ...readRuntimePrincipal(body, principal),
        apiKeyId: principal.apiKeyId,
        title: body.title,
        summary: body.summary,
        startedAt: readTime(body.started_at),
        now: deps.clock.now(),
      };
      const { session, created } = await transact(deps, (trx, hints) =>
        upsertRuntimeSession(trx, hints, input, options),
      );
      return { status: created ? 201 : 200, body: renderRuntimeSession(session) };
    },
  });
}

/** A key bound to a managed agent acts as that agent unless the body names another. */
function readRuntimePrincipal(body: Static<typeof OpenRuntimeSessionBody>, principal: Principal) {
  const named = (body.runtime_principal_id ?? '') !== '' || (body.runtime_principal_type ?? '') !== '';
  const bound = named ? undefined : principal.runtimePrincipal;
  return {
    runtimePrincipalType: bound?.type ?? body.runtime_principal_type,
    runtimePrincipalId: bound?.id ?? body.runtime_principal_id,
    runtimePrincipalName: body.runtime_principal_name ?? bound?.name,
  };
}
