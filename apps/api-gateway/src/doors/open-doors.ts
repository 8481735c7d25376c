import type { Door } from '@steward/http';
import type { Component, Probes } from '@steward/process';
import { toSessionWriteOptions } from '@steward/slice-sessions';
import type { GatewaySettings } from '../config.ts';
import { createContentRenderer } from '../content-rendering/content-renderer.ts';
import { createApiModules, type ApiDeps } from './api/api-modules.ts';
import { createHealthModule } from './api/health/module.ts';
import { openModelGateway, type ModelGatewayDeps } from './model-gateway/open-model-gateway.ts';
import { openOpenTelemetry, type OpenTelemetryDeps } from './opentelemetry/open-opentelemetry.ts';

export interface OpenDoors {
  readonly doors: readonly Door[];
  readonly components: readonly Component[];
}

/** The doors that `SERVICE_ROLE` opens, and what runs behind them. Every process answers for its health. */
export function openDoors(
  role: GatewaySettings['serviceRole'],
  given: Omit<ApiDeps, 'contentRenderer'> &
    ModelGatewayDeps &
    Omit<OpenTelemetryDeps, 'contentRenderer' | 'options'> & { readonly probes: Probes },
): OpenDoors {
  const contentRenderer = createContentRenderer(given);
  const deps = { ...given, contentRenderer, options: toSessionWriteOptions(given.settings) };
  const modules = [createHealthModule(deps), ...(role === 'gateway' ? [] : createApiModules(deps))];
  const models = role === 'api' ? { doors: [], components: [] } : openModelGateway(deps);
  return {
    doors: [
      { prefix: '', auditSource: 'console', routes: modules.flatMap((module) => module.routes) },
      ...(role === 'gateway' ? [] : [openOpenTelemetry(deps)]),
      ...models.doors,
    ],
    components: [
      { name: 'content renderer', stop: () => contentRenderer.close() },
      ...modules.flatMap((module) => module.components),
      ...models.components,
    ],
  };
}
