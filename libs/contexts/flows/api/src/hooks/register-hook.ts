import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findFlow } from '@steward/flows';
import { claimHook, findHooks, renewHook } from '@steward/trackers';
import { requireFound } from '@steward/api';
import { FlowParams } from '../flow-schemas.ts';
import { presentHook, type HookDeps } from './hook-deps.ts';
import { TrackerConfigAnswer } from './hook-schemas.ts';
import { HOOK_LEASE_SECONDS, performHook } from './perform-hook.ts';

export function createRegisterHookRoute(deps: HookDeps): Route {
  return defineRoute({
    operationId: 'registerFlowHook',
    method: 'post',
    path: '/api/v1/flows/{flow_id}/tracker-registration',
    permissions: ['edit_flows'],
    summary: 'Register the webhook of a flow at its tracker now, and return the outcome.',
    description:
      'An existing webhook is corrected; the webhook of a disabled flow is removed. If the service is already registering or removing a webhook of the flow, the returned state is `pending`, and the request takes effect afterwards.',
    params: FlowParams,
    responses: {
      200: {
        description: 'The tracker settings of the flow, with the state of the webhook.',
        name: 'FlowTracker',
        schema: TrackerConfigAnswer,
      },
    },
    audit: { action: 'register_hook', resourceType: 'flow' },
    handler: async ({ params, principal, audit }) => {
      const { accountId } = principal;
      const key = { accountId, flowId: params.flow_id };
      requireFound(await findFlow(deps.db, accountId, key.flowId));
      const leave = deps.openRequests.trials.enter(principal);
      try {
        const hook = await transact(deps, async (trx) => {
          const claimed = await claimHook(trx, key, HOOK_LEASE_SECONDS);
          if (claimed === undefined) {
            if ((await findHooks(trx, accountId, [key.flowId])).length === 0)
              throw new AppError('conflict', {
                message: 'The flow does not name a tracker, so it has no hook to register.',
              });
            await renewHook(trx, key);
          }
          await recordAudit(trx, audit({ resourceId: key.flowId }));
          return claimed;
        });
        if (hook !== undefined) await performHook(deps, hook);
      } finally {
        leave();
      }
      const [hook] = await findHooks(deps.db, accountId, [key.flowId]);
      return { status: 200, body: presentHook(requireFound(hook)) };
    },
  });
}
