import type { RegistryDeps } from '../registry/registry-deps.ts';

/** What discovery is served from. */
export type DiscoveryDeps = RegistryDeps & { readonly settings: { readonly agentDiscoveryEnabled: boolean } };
