import type { Principal } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';
import type { TriggerBudget } from '../../rate/trigger-budget.ts';

export type FlowDeps = Pick<GatewayDeps, 'db' | 'broker' | 'clock' | 'settings' | 'secretBoxes'>;

/** The two trigger routes share one budget: a flow is worth the same whoever triggers it. */
export type TriggerDeps = FlowDeps & { readonly triggerBudget: TriggerBudget };

export function mayEdit(principal: Principal): { readonly mayEdit: boolean } {
  return { mayEdit: principal.permissions.has('edit_flows') };
}
