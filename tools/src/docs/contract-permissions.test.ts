import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { KEY_ONLY_PERMISSIONS, PERMISSIONS } from '@steward/contracts';
import { listDeclaredRoutes } from '@steward/api-gateway';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Pages that state the rules of the routes with each tag. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  // Requests of agents are documented on the page of the surface that handles them.
  agents: ['agents', 'approvals', 'runtime-sessions'],
  'AI models': ['models'],
  approvals: ['approvals'],
  'audit log': ['accounts-and-access'],
  budgets: ['budgets'],
  discovery: ['discovery'],
  'event-webhooks': ['event-webhooks'],
  'flow executions': ['executions'],
  'flow schedules': ['flows-and-triggers'],
  'flow triggers': ['flows-and-triggers'],
  flows: ['flows-and-triggers'],
  'kill switch': ['kill-switch'],
  'notice-channels': ['notices'],
  'operator notes': ['runtime-sessions'],
  overview: ['processes'],
  policies: ['policies'],
  roles: ['accounts-and-access'],
  'runtime sessions': ['runtime-sessions', 'opentelemetry'],
  'session search': ['search', 'embedding', 'credentials'],
  stats: ['stats'],
  'tool servers': ['tool-servers'],
  trackers: ['trackers'],
  usage: ['budgets', 'models'],
  users: ['accounts-and-access'],
};
/** Permissions checked by the handler: keys need them, people do not (ACC-26). */
const ASKED_BY_HANDLERS = new Set(KEY_ONLY_PERMISSIONS);

const routes = listDeclaredRoutes();
const pages = new Map(
  Object.values(PAGES)
    .flat()
    .map((name) => [name, readFileSync(resolve(WORKSPACE_ROOT, 'docs/contract', `${name}.md`), 'utf8')]),
);

describe('permissions of routes', () => {
  it('are named on the contract pages of their routes', () => {
    const unsaid = routes.flatMap(({ method, path, tag = '', permissions = [] }) =>
      permissions
        .filter((permission) => !PAGES[tag]?.some((page) => pages.get(page)?.includes(`\`${permission}\``)))
        .map((permission) => `${method.toUpperCase()} ${path} needs ${permission}`),
    );
    expect(unsaid).toEqual([]);
  });

  it('are all used: no permission is without effect', () => {
    const needed = new Set(routes.flatMap(({ permissions = [] }) => permissions));
    expect(PERMISSIONS.filter((permission) => !needed.has(permission) && !ASKED_BY_HANDLERS.has(permission))).toEqual(
      [],
    );
  });
});
