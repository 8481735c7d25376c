import { readOrigin } from '@steward/egress';
import { setting } from '@steward/process';

/** Settings of the gateway for model providers. */
export const modelSettings = {
  modelInsecureOrigins: setting.list('MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS', {
    check: (entry) => void readOrigin(entry),
    description:
      'Origins (scheme://host:port) of model providers that may use http, loopback or private addresses, comma separated: for tests and models on the same machine.',
  }),
  modelReserveOutputTokens: setting.integer('MODEL_GATEWAY_RESERVE_OUTPUT_TOKENS', {
    default: 4096,
    min: 1,
    max: 1_000_000,
    unit: 'tokens',
    description:
      'Output tokens that budgets assume for a model call that sets no maximum; never more than the model’s own maximum.',
  }),
  modelReserveInputTokens: setting.integer('MODEL_GATEWAY_RESERVE_INPUT_TOKENS', {
    default: 1_000_000,
    min: 1,
    max: 100_000_000,
    unit: 'tokens',
    description:
      'Input tokens that budgets assume for a model call whose body refers to other content: an earlier response, a file, a URL, a provider tool. Set it to the largest context of your models.',
  }),
} as const;
