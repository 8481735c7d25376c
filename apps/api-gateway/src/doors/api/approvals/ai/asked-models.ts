import { createProviderPools, readOrigin } from '@steward/egress';
import { createModelCalls, type ModelCallsDeps } from '@steward/model-calls';
import type { Component } from '@steward/process';
import type { GatewaySettings } from '../../../../config.ts';
import type { AskModelDeps } from './ask-model.ts';

type AskedModelsDeps = Omit<ModelCallsDeps, 'options'> & {
  readonly settings: Pick<GatewaySettings, 'modelInsecureOrigins' | 'webhookMaxPendingPerAccount'>;
};

/** What models of accounts are asked over by the service itself: one set of connections, and one ledger of what is held for them. */
export type AskedModels = Pick<AskModelDeps, 'pools' | 'calls'>;

/** The components go on until whoever asks has stopped. */
export function createAskedModels(given: AskedModelsDeps): {
  readonly askedModels: AskedModels;
  readonly components: readonly Component[];
} {
  const { modelInsecureOrigins, webhookMaxPendingPerAccount: maxPendingPerAccount } = given.settings;
  const pools = createProviderPools({
    insecureOrigins: modelInsecureOrigins.map(readOrigin),
    // The time of each request is shorter than either.
    agent: { headersTimeout: 0, bodyTimeout: 0 },
  });
  const calls = createModelCalls({ ...given, options: { maxPendingPerAccount } });
  return {
    askedModels: { pools, calls },
    components: [calls.component, { name: 'asked models', stop: () => pools.close() }],
  };
}
