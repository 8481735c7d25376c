import type { Door } from '@steward/http';
import type { Component, Probes } from '@steward/process';
import type { GatewaySettings } from '../config.ts';
import { createApiModules, type ApiDeps } from './api/api-modules.ts';
import { createHealthModule } from './api/health/module.ts';

export interface OpenDoors {
  readonly doors: readonly Door[];
  readonly components: readonly Component[];
}

/**
 * The doors that `SERVICE_ROLE` opens, and what runs behind them. A process without the API answers for its health alone, until
 * the model gateway opens a door of its own.
 */
export function openDoors(
  role: GatewaySettings['serviceRole'],
  deps: ApiDeps & { readonly probes: Probes },
): OpenDoors {
  const modules = [createHealthModule(deps), ...(role === 'gateway' ? [] : createApiModules(deps))];
  return {
    doors: [{ prefix: '', auditSource: 'console', routes: modules.flatMap((module) => module.routes) }],
    components: modules.flatMap((module) => module.components),
  };
}
