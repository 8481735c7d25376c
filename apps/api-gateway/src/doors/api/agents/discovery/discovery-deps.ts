import type { GatewaySettings } from '../../../../config.ts';
import type { RegistryDeps } from '../registry/registry-deps.ts';

/** Dependencies of the discovery routes. */
export type DiscoveryDeps = RegistryDeps & { readonly settings: Pick<GatewaySettings, 'agentDiscoveryEnabled'> };
