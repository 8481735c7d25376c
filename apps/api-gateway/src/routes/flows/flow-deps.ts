import type { FlowWriteOptions } from '@steward/slice-flows';
import type { Principal } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';

export type FlowDeps = Pick<GatewayDeps, 'db' | 'broker' | 'clock' | 'settings' | 'secretBoxes'>;

export function readFlowOptions(deps: Pick<GatewayDeps, 'settings'>): FlowWriteOptions {
  const { searchIndexEnabled, captureContent, webhookMaxPendingPerAccount } = deps.settings;
  return { indexEnabled: searchIndexEnabled, captureContent, maxPendingPerAccount: webhookMaxPendingPerAccount };
}

/** Who acted, as the audit log names it. */
export function describeActor(principal: Principal): { kind: 'user' | 'api_key'; id: string } {
  return { kind: principal.kind, id: principal.apiKeyId ?? principal.userId };
}

export function mayEdit(principal: Principal): { readonly mayEdit: boolean } {
  return { mayEdit: principal.permissions.has('edit_flows') };
}
