import type { Principal } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';
import type { LargeBodyGate } from '../../rate/large-body-gate.ts';
import type { TriggerBudget } from '../../rate/trigger-budget.ts';
import type { KnownFlows } from '../flow-webhooks/known-flows.ts';
import type { TriggerQueue } from '../flow-webhooks/trigger-queue.ts';

export type FlowDeps = Pick<GatewayDeps, 'db' | 'broker' | 'clock' | 'settings' | 'secretBoxes'>;

/** What the two trigger routes share: a flow is worth the same whoever triggers it. */
export type TriggerDeps = FlowDeps & {
  readonly triggerBudget: TriggerBudget;
  readonly triggerQueue: TriggerQueue;
  readonly knownFlows: KnownFlows;
  readonly largeBodies: LargeBodyGate;
};

export function mayEdit(principal: Principal): { readonly mayEdit: boolean } {
  return { mayEdit: principal.permissions.has('edit_flows') };
}
