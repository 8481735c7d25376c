import { existsInEdition, ROLE_PERMISSIONS } from '@steward/contracts';
import { scaleLimit } from '@steward/testing';
import { requireStatus } from '../demo/api.ts';
import { addPerson, registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const PERMISSIONS = ROLE_PERMISSIONS.filter((permission) => existsInEdition(permission, 'oss'));
const HOME = '/settings/account';
/** Groups of screens to which a permission gives access; the other permissions give access to none. */
const OPENED = {
  manage_users: ['/settings/users', '/settings/roles'],
  view_runtime_sessions: ['/search', '/sessions', '/settings/search'],
  view_policies: [
    '/event-webhooks/endpoints',
    '/event-webhooks/deliveries',
    '/event-webhooks/dead-letters',
    '/event-webhooks/notices',
    '/event-webhooks/portal-links',
    '/policies',
    '/tool-servers',
  ],
  view_flows: ['/flows', '/schedules', '/executions'],
  view_approvals: ['/approvals'],
  view_agents: ['/agents', '/agents/discovered', '/settings/kill-switch'],
  view_audit_logs: ['/audit-log'],
  view_ai_models: ['/models'],
  view_cost: ['/budgets', '/usage'],
  view_trackers: ['/trackers'],
} as const;

describe('the screens in the navigation (CON-22)', () => {
  it(
    'request no data that their user may not read',
    async () => {
      const { api } = await registerPerson(console.suite().api);
      const role = { name: 'narrow', permissions: ['decide_approvals'] };
      const { id } = await requireStatus(201, api.call('POST', '/api/v1/roles', { body: role }));
      const username = await addPerson(api, role.name);
      const { page } = await (await console.visit()).open(HOME);
      const rail = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
      const readRail = async () => {
        await rail.and(page.locator('[aria-current=page]')).waitFor();
        return rail.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      };
      await signIn(page, username);
      const everybodys = await readRail();
      const opened: [string, string[]][] = [];
      for (const permission of PERMISSIONS) {
        await requireStatus(200, api.call('PATCH', `/api/v1/roles/${id}`, { body: { permissions: [permission] } }));
        await page.goto(HOME);
        const screens = (await readRail()).filter((path) => !everybodys.includes(path));
        if (screens.length > 0) opened.push([permission, screens]);
        for (const path of screens) {
          // This loads a new document, so that pending requests of one page end before the next one begins.
          await page.goto(path);
          await page.waitForLoadState('networkidle');
          await rail.and(page.locator('[aria-current=page]')).waitFor();
        }
      }
      expect(everybodys).toEqual(['/overview', '/charts', '/settings/api-keys', HOME]);
      expect(Object.fromEntries(opened)).toEqual(OPENED);
    },
    scaleLimit(600_000),
  );
});
