import { Type } from '@sinclair/typebox';
import type { Permission } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { defineRoute, nullable, type Route } from '@steward/http';
import { countPendingRequests } from '@steward/approvals';
import { countRunningExecutions } from '@steward/flows';
import { countUnrepaired } from '@steward/webhooks';

/**
 * Maximum of a count: an exact number above it is not needed. Counting 1,000 of 200,000 dead deliveries took 10 ms;
 * counting 100 of them took 1 ms.
 */
const MAX_COUNT = 100;

const Count = (what: string) =>
  nullable(
    Type.Integer({ minimum: 0, maximum: MAX_COUNT }),
    `${what}; ${MAX_COUNT} means ${MAX_COUNT} or more; null if the caller lacks the permission to see the number.`,
  );

const OverviewAnswer = Type.Object({
  pending_approvals: Count('Number of pending approval requests'),
  dead_deliveries: Count('Number of dead deliveries that were not sent again'),
  running_executions: Count('Number of running executions'),
  agents_stopped: Type.Boolean({ description: 'Whether the agents of the account are stopped.' }),
});

/**
 * Creates the route that every open console requests every few seconds. The route therefore reads only three counts,
 * each from a partial index.
 */
export function createReadOverviewRoute({ db }: { readonly db: AnyDatabase }): Route {
  return defineRoute({
    operationId: 'readOverview',
    method: 'get',
    path: '/api/v1/overview',
    summary: 'Count the items that need attention and the running executions, and read whether agents are stopped.',
    responses: { 200: { description: 'Counts of the account.', name: 'Overview', schema: OverviewAnswer } },
    handler: async ({ principal: { accountId, permissions, isHalted = false } }) => {
      const count = (permission: Permission, ask: typeof countPendingRequests) =>
        permissions.has(permission) ? ask(db, accountId, MAX_COUNT) : null;
      const [pending, dead, running] = await Promise.all([
        count('view_approvals', countPendingRequests),
        count('view_policies', countUnrepaired),
        count('view_flows', countRunningExecutions),
      ]);
      return {
        status: 200,
        body: {
          pending_approvals: pending,
          dead_deliveries: dead,
          running_executions: running,
          agents_stopped: isHalted,
        },
      };
    },
  });
}
