import type { GatewaySettings } from '../../../../config.ts';
import type { RegistryDeps } from '../registry/registry-deps.ts';

/** What discovery is served from. */
export type DiscoveryDeps = RegistryDeps & { readonly settings: Pick<GatewaySettings, 'agentDiscoveryEnabled'> };
