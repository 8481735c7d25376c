import type { Route } from '@steward/http';
import { listDeclaredRoutes } from '../list-declared-routes.ts';

/** Prefixes of the routes of each test file; the longest matching one applies. */
const AREAS = {
  people: ['/api/v1/auth', '/api/v1/users'],
  access: ['/api/v1/account', '/api/v1/auth/api-keys', '/api/v1/roles'],
  agents: ['/api/v1/agents'],
  discovery: ['/api/v1/agents/discovery-setting', '/api/v1/agents/discovery-candidates'],
  receivers: ['/api/v1/event-webhooks'],
  channels: ['/api/v1/notice-channels', '/api/v1/users/me/push-subscriptions'],
  streams: ['/api/v1/event-webhooks/listeners/{listener_id}/events'],
  work: ['/api/v1/flows', '/api/v1/flow-secrets', '/api/v1/runtime-sessions', '/api/v1/operator-notes'],
  questions: [
    '/api/v1/runtime-sessions/search',
    '/api/v1/runtime-sessions/credential-sightings',
    '/api/v1/runtime-sessions/settings',
    '/api/v1/runtime-sessions/{session_id}/similar',
  ],
  models: ['/api/v1/ai-models', '/api/v1/budgets'],
  policies: ['/api/v1/policies', '/api/v1/mcp-servers'],
  logins: ['/api/v1/mcp-servers/{mcp_server_id}/oauth'],
  trackers: ['/api/v1/trackers', '/api/v1/flows/{flow_id}/tracker-registration'],
  approvals: ['/api/v1/approval-workflows', '/api/v1/approval-requests', '/approval'],
  searches: ['/api/v1/runtime-sessions/search/saved', '/api/v1/session-search/grants'],
} as const;

export type AuditedArea = keyof typeof AREAS;

/** Returns the routes that declare audit entries: those of one area, or those that belong to no area. */
export function listAuditedRoutes(area: AuditedArea | undefined): Route[] {
  return listDeclaredRoutes().filter(({ audit, path }) => audit !== undefined && findArea(path) === area);
}

function findArea(path: string): AuditedArea | undefined {
  const begun = Object.entries(AREAS).flatMap(([area, beginnings]) =>
    beginnings
      .filter((beginning) => path === beginning || path.startsWith(`${beginning}/`))
      .map((it) => ({ area, it })),
  );
  return begun.sort((a, b) => b.it.length - a.it.length)[0]?.area as AuditedArea | undefined;
}

/** Returns whether a request such as `POST /api/v1/users/1` belongs to the route. */
export function fits({ method, path }: Route, request: string): boolean {
  const pattern = path.replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${method} ${pattern}$`, 'i').test(request);
}
