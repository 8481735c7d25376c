import { eventually } from '@steward/testing';
import { useApprovals } from './approval-tests.ts';
import { useMcpClients, type McpClientKind } from './mcp-tests.ts';
import { openSharedHost } from './shared-gateway.ts';
import { startUpstreamHost, type UpstreamServer, type UpstreamTool } from './start-upstream-host.ts';

type UpstreamHost = Awaited<ReturnType<typeof startUpstreamHost>>;
type HostOptions = Parameters<UpstreamHost['add']>[1];
export type AddedServer = UpstreamServer & { readonly id: string };

/**
 * Sets up the test file: a gateway that may call servers of this machine (the shared one, unless settings are given),
 * and tool servers that tests add to the account.
 */
export function useToolServers(settings?: Readonly<Record<string, string>>) {
  const environment: Record<string, string> = { ...settings };
  let host: UpstreamHost;
  beforeAll(async () => {
    host = await (settings === undefined ? openSharedHost() : startUpstreamHost());
    environment['MCP_ALLOW_INSECURE_URLS'] = host.origin;
  });
  const approvals = useApprovals(settings === undefined ? undefined : environment);
  afterAll(async () => {
    if (settings !== undefined) await host.close();
  });
  const connectTo = useMcpClients(() => approvals.people.gateway().url);
  return {
    approvals,
    /** Connects a client as the owner, unless a token is given. */
    connect: (kind: McpClientKind = 'second, 2026', token = approvals.owner().accessToken) =>
      connectTo(token, { kind }),
    /** Address of all tool servers. */
    origin: () => host.origin,
    /** Saves a server of the owner's account, and waits for its tools. */
    async add(
      name: string,
      tools: UpstreamTool[],
      fields: object = {},
      options: HostOptions = {},
    ): Promise<AddedServer> {
      const added = await save(name, tools, fields, options);
      await refresh(added);
      return added;
    },
    /**
     * Saves a server, and waits for the refresh after the save. This is needed if the server changes its tools later,
     * because the refresh could otherwise overwrite the later change.
     */
    async addAsked(name: string, tools: UpstreamTool[]): Promise<AddedServer> {
      const added = await save(name, tools);
      const isAsked = async () => (await approvals.call('GET', `/mcp-servers/${added.id}`)).body.status === 'ok';
      await eventually(isAsked);
      return added;
    },
    refresh,
  };

  async function save(
    name: string,
    tools: UpstreamTool[],
    fields: object = {},
    options: HostOptions = {},
  ): Promise<AddedServer> {
    const server = host.add(tools, options);
    const { status, body } = await approvals.call('POST', '/mcp-servers', { name, url: server.url, ...fields });
    expect(status).toBe(201);
    return { ...server, id: String(body.id) };
  }

  async function refresh({ id }: AddedServer): Promise<void> {
    expect((await approvals.call('POST', `/mcp-servers/${id}/refresh`)).status).toBe(200);
  }
}
