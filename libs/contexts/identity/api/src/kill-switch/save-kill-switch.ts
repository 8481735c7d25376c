import type { Clock } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { throwKillSwitch } from '@steward/kill-switch';
import { toSessionWriteOptions, type SessionWriteSettings } from '@steward/sessions';
import type { ApprovalWaits } from '@steward/approvals';
import { readApprovalOptions, type ApprovalOptionsDeps } from '@steward/api';
import { KillSwitchBody, presentKillSwitch, ThrownKillSwitchAnswer } from './kill-switch-schemas.ts';

export type KillSwitchRouteDeps = ApprovalOptionsDeps & {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly waits: Pick<ApprovalWaits, 'wake'>;
  readonly settings: SessionWriteSettings;
};

export function createSaveKillSwitchRoute(deps: KillSwitchRouteDeps): Route {
  const { db, broker, clock, waits } = deps;
  const approvals = readApprovalOptions(deps);
  const sessions = toSessionWriteOptions(deps.settings);
  return defineRoute({
    operationId: 'setKillSwitch',
    method: 'put',
    path: '/api/v1/account/kill-switch',
    permissions: ['manage_kill_switch'],
    summary: 'Engage or release the kill switch, which stops all agents of the account.',
    description:
      'While the kill switch is engaged, model calls, tool calls, permission checks, triggers and decisions on approval requests are refused with 403 kill_switch_engaged, executions are stopped and pending approval requests are cancelled. The response is sent after the executions have been stopped and the requests have been cancelled; if this call fails, repeating it completes the remaining work.',
    body: KillSwitchBody,
    bodyExample: { engaged: true, reason: 'An agent deletes branches it does not own.' },
    responses: {
      200: {
        description: 'The kill switch, with the numbers of stopped executions and cancelled requests.',
        name: 'ThrownKillSwitch',
        schema: ThrownKillSwitchAnswer,
      },
    },
    audit: { action: ['engage', 'release'], resourceType: 'kill_switch' },
    handler: async ({ body: { engaged, reason }, principal, audit, traceparent }) => {
      const { accountId, userId } = principal;
      const details = reason === undefined || reason === null ? {} : { reason };
      const thrown = await throwKillSwitch(
        { db, broker, clock, approvals, sessions },
        {
          accountId,
          isEngaged: engaged,
          reason: reason ?? undefined,
          by: userId,
          audit: audit({ action: engaged ? 'engage' : 'release', resourceId: accountId, details }),
          traceparent,
        },
      );
      if (thrown === undefined)
        throw new AppError('conflict', {
          message: 'The kill switch has been changed in the meantime. Read its state again.',
        });
      for (const id of thrown.cancelledRequestIds) waits.wake(id);
      const ended = {
        stopped_executions: thrown.stoppedExecutions,
        cancelled_approval_requests: thrown.cancelledRequestIds.length,
      };
      return { status: 200, body: { ...presentKillSwitch(thrown.killSwitch), ...ended } };
    },
  });
}
