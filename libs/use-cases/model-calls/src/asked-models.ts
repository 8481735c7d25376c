import { createProviderPools, readOrigin } from '@steward/egress';
import { createModelCalls, type ModelCallsDeps } from './create-model-calls.ts';
import type { Component } from '@steward/process';
import type { AskModelDeps } from './ask-model.ts';

type AskedModelsDeps = Omit<ModelCallsDeps, 'options'> & {
  readonly settings: { readonly modelInsecureOrigins: readonly string[]; readonly webhookMaxPendingPerAccount: number };
};

/**
 * Resources for the service's own model calls: the connections to providers, and the functions that reserve and record
 * the cost of the calls.
 */
export type AskedModels = Pick<AskModelDeps, 'pools' | 'calls'>;

/** Creates the resources, and the components that must run until the code that calls the models has stopped. */
export function createAskedModels(given: AskedModelsDeps): {
  readonly askedModels: AskedModels;
  readonly components: readonly Component[];
} {
  const { modelInsecureOrigins, webhookMaxPendingPerAccount: maxPendingPerAccount } = given.settings;
  const pools = createProviderPools({
    insecureOrigins: modelInsecureOrigins.map(readOrigin),
    // These time limits are disabled, because each request has its own time limit.
    agent: { headersTimeout: 0, bodyTimeout: 0 },
  });
  const calls = createModelCalls({ ...given, options: { maxPendingPerAccount } });
  return {
    askedModels: { pools, calls },
    components: [calls.component, { name: 'asked models', stop: () => pools.close() }],
  };
}
