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

/** The models of accounts. Test calls use connections of their own. */
export function createModelsModule(deps: Omit<CallingDeps, 'pools'>): Module {
  const pools = createProviderPools({
    insecureOrigins: deps.settings.modelInsecureOrigins.map(readOrigin),
    // The call's own time limit is longer than these two.
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
