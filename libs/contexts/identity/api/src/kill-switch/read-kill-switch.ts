import type { AnyDatabase } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { findKillSwitch } from '@steward/identity';
import { KillSwitchAnswer, presentKillSwitch } from './kill-switch-schemas.ts';

export function createReadKillSwitchRoute({ db }: { readonly db: AnyDatabase }): Route {
  return defineRoute({
    operationId: 'readKillSwitch',
    method: 'get',
    path: '/api/v1/account/kill-switch',
    permissions: ['view_agents'],
    summary: 'Read the kill switch: whether the agents of the account are stopped, since when and by whom.',
    responses: { 200: { description: 'The kill switch.', name: 'KillSwitch', schema: KillSwitchAnswer } },
    handler: async ({ principal: { accountId } }) => ({
      status: 200,
      body: presentKillSwitch(await findKillSwitch(db, accountId)),
    }),
  });
}
