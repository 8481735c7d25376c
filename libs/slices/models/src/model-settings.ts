import { readOrigin } from '@steward/egress';
import { setting } from '@steward/process';

/** What the gateway says of model providers. */
export const modelSettings = {
  modelInsecureOrigins: setting.list('MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS', {
    check: (entry) => void readOrigin(entry),
    description:
      'Origins (scheme://host:port) of model providers, comma separated, that may be http, loopback or private: for tests and models on the same machine.',
  }),
  modelReserveOutputTokens: setting.integer('MODEL_GATEWAY_RESERVE_OUTPUT_TOKENS', {
    default: 4096,
    min: 1,
    max: 1_000_000,
    unit: 'tokens',
    description:
      'What a call of a model is taken to write at most, for budgets, when it does not say; never more than the model can.',
  }),
  modelReserveInputTokens: setting.integer('MODEL_GATEWAY_RESERVE_INPUT_TOKENS', {
    default: 1_000_000,
    min: 1,
    max: 100_000_000,
    unit: 'tokens',
    description:
      'What a call of a model is taken to read, for budgets, when its body names what is not in it: an earlier answer, a file, an address, a tool of the provider. The largest context of your models.',
  }),
} as const;
