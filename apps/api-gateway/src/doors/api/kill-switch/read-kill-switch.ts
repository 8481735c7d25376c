import type { AnyDatabase } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { findKillSwitch } from '@steward/slice-identity';
import { KILL_SWITCH_PATH, KillSwitchAnswer, presentKillSwitch } from './kill-switch-schemas.ts';

export function createReadKillSwitchRoute({ db }: { readonly db: AnyDatabase }): Route {
  return defineRoute({
    method: 'get',
    path: KILL_SWITCH_PATH,
    auth: 'bearer',
    permissions: ['view_agents'],
    tag: 'kill switch',
    summary: 'Whether the agents of the account are stopped, since when and by whom.',
    responses: { 200: { description: 'The kill switch.', schema: KillSwitchAnswer } },
    handler: async ({ principal }) => ({
      status: 200,
      body: presentKillSwitch(await findKillSwitch(db, principal.accountId)),
    }),
  });
}
