import { readOrigin } from '@steward/egress';
import { setting } from '@steward/process';

/** Settings of the gateway for tool servers. */
export const toolServerSettings = {
  toolServerInsecureOrigins: setting.list('MCP_ALLOW_INSECURE_URLS', {
    check: (entry) => void readOrigin(entry),
    description:
      'Origins (scheme://host:port) of tool servers that may use http, loopback or private addresses, comma separated: for tests and servers on the same machine.',
  }),
  toolServerHostUrl: {
    ...setting.text('TOOL_SERVER_HOST_URL', {
      description:
        'Address at which a flow worker runs tool servers that are programs (TOOL_SERVER_HOST_PORT there), such as http://flow-trigger:8095. If not set, no tool servers that are programs can be added.',
    }),
    parse: (text: string): string => readOrigin(text),
  },
} as const;
