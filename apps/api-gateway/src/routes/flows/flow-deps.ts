import type { FlowWriteOptions } from '@steward/slice-flows';
import type { Principal } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';

export type FlowDeps = Pick<GatewayDeps, 'db' | 'broker' | 'clock' | 'settings' | 'secretBoxes'>;

export function readFlowOptions(deps: Pick<GatewayDeps, 'settings'>): FlowWriteOptions {
  const { searchIndexEnabled, captureContent, webhookMaxPendingPerAccount } = deps.settings;
  return { indexEnabled: searchIndexEnabled, captureContent, maxPendingPerAccount: webhookMaxPendingPerAccount };
}

export function mayEdit(principal: Principal): { readonly mayEdit: boolean } {
  return { mayEdit: principal.permissions.has('edit_flows') };
}
