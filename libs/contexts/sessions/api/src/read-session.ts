import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { readRuntimeSession } from '@steward/sessions';
import { requireFound, SessionParams } from '@steward/api';
import type { SessionsDeps } from './sessions-deps.ts';
import { RuntimeSessionAnswer, renderRuntimeSession } from './runtime-sessions-schemas.ts';

/** Handles GET /api/v1/runtime-sessions/{session_id}: returns a session. */
export function createReadRuntimeSessionRoute(deps: Pick<SessionsDeps, 'db' | 'settings'>): Route {
  return defineRoute({
    operationId: 'readSession',
    method: 'get',
    path: '/api/v1/runtime-sessions/{session_id}',
    openTo: AGENT_KINDS,
    permissions: ['view_runtime_sessions'],
    summary: 'Read a session.',
    params: SessionParams,
    responses: { 200: { description: 'The session.', name: 'RuntimeSession', schema: RuntimeSessionAnswer } },
    handler: async ({ params, principal }) => {
      const key = { accountId: principal.accountId, sessionId: params.session_id };
      const session = requireFound(await readRuntimeSession(deps.db, key));
      return { status: 200, body: renderRuntimeSession(session, principal, deps.settings) };
    },
  });
}
