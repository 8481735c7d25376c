import { useApprovals } from './approval-tests.ts';
import { startUpstreamHost, type UpstreamServer, type UpstreamTool } from './start-upstream-host.ts';

export type AddedServer = UpstreamServer & { readonly id: string };

/** Sets the file up: a gateway that may call servers of this machine, and servers of tools that tests add to the account. */
export function useToolServers() {
  const environment: Record<string, string> = {};
  let host: Awaited<ReturnType<typeof startUpstreamHost>>;
  beforeAll(async () => {
    host = await startUpstreamHost();
    environment['MCP_ALLOW_INSECURE_URLS'] = host.origin;
  });
  const approvals = useApprovals(environment);
  afterAll(() => host.close());
  return {
    approvals,
    /** Where all of them stand. */
    origin: () => host.origin,
    /** Saves a server of the owner's account, and waits for what it offers. */
    async add(
      name: string,
      tools: UpstreamTool[],
      fields: object = {},
      options: Parameters<typeof host.add>[1] = {},
    ): Promise<AddedServer> {
      const server = host.add(tools, options);
      const { status, body } = await approvals.call('POST', '/mcp-servers', { name, url: server.url, ...fields });
      expect(status).toBe(201);
      const added = { ...server, id: String(body.id) };
      await refresh(added);
      return added;
    },
    refresh,
  };

  async function refresh({ id }: AddedServer): Promise<void> {
    expect((await approvals.call('POST', `/mcp-servers/${id}/refresh`)).status).toBe(200);
  }
}
