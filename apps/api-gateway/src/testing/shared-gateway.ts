import { startFakeProvider } from '@steward/fake-provider';
import { hashPasswordsCheaply } from '@steward/identity/testing';
import { endWithProcess, openOnce } from '@steward/testing';
import { startTestGateway, type TestGateway } from './start-gateway.ts';
import { startUpstreamHost } from './start-upstream-host.ts';

export const PROVIDER_KEY = ['sk', 'provider', 'aB3dE5fG7hI9jK1l'].join('-');

/** The model provider of the files that share a gateway. A file resets it after each test. */
export const openSharedProvider = openOnce(() => startFakeProvider({ apiKey: PROVIDER_KEY }));

/** The host of tool servers of the files that share a gateway. */
export const openSharedHost = openOnce(startUpstreamHost);

const openGateway = openOnce(async () => {
  const [provider, host] = await Promise.all([openSharedProvider(), openSharedHost()]);
  const gateway = await startTestGateway({
    MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: provider.origin,
    MCP_ALLOW_INSECURE_URLS: host.origin,
    ACCOUNT_RATE_PER_MINUTE: '1000000',
    FLOW_TRIGGER_RATE_PER_MINUTE: '100000',
  });
  endWithProcess(gateway.broker);
  return gateway;
});

/**
 * Opens the gateway that all files of this process share, on the same database and broker. A test file that shares it
 * creates its own accounts, changes no setting and no rows of others, neither stops the servers nor uses
 * `shortenPauses`, and expects nothing of the number of all rows.
 */
export async function openSharedGateway(): Promise<TestGateway> {
  const gateway = await openGateway();
  // Other files of this process test the cost of a hash.
  const hashAtFullCost = hashPasswordsCheaply();
  return { ...gateway, close: () => Promise.resolve(hashAtFullCost()) };
}
