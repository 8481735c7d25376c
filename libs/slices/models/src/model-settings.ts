import { readOrigin } from '@steward/egress';
import { setting } from '@steward/process';

/** What the gateway says of model providers. */
export const modelSettings = {
  modelInsecureOrigins: setting.list('MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS', {
    check: (entry) => void readOrigin(entry),
    description:
      'Origins (scheme://host:port) of model providers, comma separated, that may be http, loopback or private: for tests and models on the same machine.',
  }),
} as const;
