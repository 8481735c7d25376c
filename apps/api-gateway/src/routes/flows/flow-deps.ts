import type { Principal } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';

export type FlowDeps = Pick<GatewayDeps, 'db' | 'broker' | 'clock' | 'settings' | 'secretBoxes'>;

export function mayEdit(principal: Principal): { readonly mayEdit: boolean } {
  return { mayEdit: principal.permissions.has('edit_flows') };
}
