import { tagRoutes } from '@steward/http';
import { createProviderPools, readOrigin } from '@steward/egress';
import type { Component } from '@steward/process';
import type { Module } from '@steward/api';
import { createCreateModelRoute } from './create-model.ts';
import { createDeleteModelRoute } from './delete-model.ts';
import { createListModelsRoute } from './list-models.ts';
import type { CallingDeps } from './models-deps.ts';
import { createReadModelRoute } from './read-model.ts';
import { createTestModelRoute } from './test-model.ts';
import { createUpdateModelRoute } from './update-model.ts';

/** Creates the routes for the AI models of accounts. Test calls use a separate connection pool. */
export function createModelsModule(deps: Omit<CallingDeps, 'pools'>): Module {
  const pools = createProviderPools({
    insecureOrigins: deps.settings.modelInsecureOrigins.map(readOrigin),
    // Timeouts of the pool are disabled, because each call has its own time limit.
    agent: { headersTimeout: 0, bodyTimeout: 0 },
  });
  const calls: Component = { name: 'model-tests', start: () => Promise.resolve(), stop: () => pools.close() };
  const routes = tagRoutes('AI models', [
    createCreateModelRoute(deps),
    createListModelsRoute(deps),
    createReadModelRoute(deps),
    createUpdateModelRoute(deps),
    createDeleteModelRoute(deps),
    createTestModelRoute({ ...deps, pools }),
  ]);
  return { routes, components: [calls] };
}
