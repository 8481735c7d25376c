import type { RegistryDeps } from '../registry/registry-deps.ts';

/** Dependencies of the routes of discovery. */
export type DiscoveryDeps = RegistryDeps & { readonly settings: { readonly agentDiscoveryEnabled: boolean } };
