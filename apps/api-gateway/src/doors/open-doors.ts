import type { Door } from '@steward/http';
import type { Component, Probes } from '@steward/process';
import type { GatewaySettings } from '../config.ts';
import { createApiModules, type ApiDeps } from './api/api-modules.ts';
import { createHealthModule } from './api/health/module.ts';
import { openModelGateway, type ModelGatewayDeps } from './model-gateway/open-model-gateway.ts';

export interface OpenDoors {
  readonly doors: readonly Door[];
  readonly components: readonly Component[];
}

/** The doors that `SERVICE_ROLE` opens, and what runs behind them. Every process answers for its health. */
export function openDoors(
  role: GatewaySettings['serviceRole'],
  deps: ApiDeps & ModelGatewayDeps & { readonly probes: Probes },
): OpenDoors {
  const modules = [createHealthModule(deps), ...(role === 'gateway' ? [] : createApiModules(deps))];
  const models = role === 'api' ? { doors: [], components: [] } : openModelGateway(deps);
  return {
    doors: [
      { prefix: '', auditSource: 'console', routes: modules.flatMap((module) => module.routes) },
      ...models.doors,
    ],
    components: [...modules.flatMap((module) => module.components), ...models.components],
  };
}
