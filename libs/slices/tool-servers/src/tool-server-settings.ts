import { readOrigin } from '@steward/egress';
import { setting } from '@steward/process';

/** What the gateway says of tool servers. */
export const toolServerSettings = {
  toolServerInsecureOrigins: setting.list('MCP_ALLOW_INSECURE_URLS', {
    check: (entry) => void readOrigin(entry),
    description:
      'Origins (scheme://host:port) of tool servers, comma separated, that may be http, loopback or private: for tests and servers on the same machine.',
  }),
} as const;
