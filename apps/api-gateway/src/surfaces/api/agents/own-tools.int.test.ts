import { connectMcp, type McpClient } from '../../../testing/mcp-tests.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';
import { text, tool } from '../../../testing/start-upstream-host.ts';

const servers = useToolServers({ MCP_DOOR_NAMES: 'acme-tools' });
const { approvals } = servers;
const LONG = `read_${'x'.repeat(80)}`;

const ask = async (tool_name: string, server?: string) =>
  (await approvals.check({ tool_name, ...(server === undefined ? {} : { server }), arguments: { number: 7 } })).body;

describe('a call that reaches both the hook and the tool gateway (TOOL-21)', () => {
  let client: McpClient;
  beforeEach(async () => {
    await servers.add('github', [tool('merge_pull_request', () => text('merged')), tool(LONG, () => text('read'))]);
    client = await connectMcp(approvals.people.gateway().url, approvals.owner().accessToken);
  });
  afterEach(() => client.close());

  const listRequests = async () => (await approvals.call('GET', '/approval-requests')).body.items as { id: string }[];

  it('is held only by the tool gateway, and approved once', async () => {
    await approvals.apply(
      'version: "1"\nrules:\n  - { id: m, description: Merges ask, match: { tools: ["*/*merge_*"] }, action: require_approval }\n',
    );
    const merge = () =>
      client.call('github__merge_pull_request', { number: 7 }, { meta: { 'steward/wait_seconds': 0 } });
    expect(await ask('github__merge_pull_request', 'steward')).toMatchObject({ decision: 'allow', rule: null });
    await merge();
    const [request] = await listRequests();
    await approvals.decide(request?.id ?? '', 'approve');
    expect(await ask('mcp__steward__github__merge_pull_request')).toMatchObject({ decision: 'allow' });
    expect(await merge()).toMatchObject({ content: [{ text: 'merged' }] });
    expect(await listRequests()).toMatchObject([{ server: 'github', tool_name: 'merge_pull_request' }]);
  });

  it('passes the hook for every tool that the tool gateway lists, even if the policy denies by default', async () => {
    const listed = (await client.list()).map(({ name }) => name);
    expect(listed).toHaveLength(5);
    await approvals.apply('version: "1"\nrules: []\ndefaults: { action: deny }\n');
    for (const name of listed) {
      expect([name, (await ask(name, 'steward')).decision]).toEqual([name, 'allow']);
      expect([name, (await ask(`mcp__steward__${name}`)).decision]).toEqual([name, 'allow']);
    }
    expect((await ask('get_approval_status')).decision).toBe('allow');
    // On the MCP surface, the policy decides about the tools of servers.
    expect(await client.call('get_approval_status', { approval_request_id: crypto.randomUUID() })).toMatchObject({
      structuredContent: { reason: 'not_found' },
    });
    expect(await client.call('github__merge_pull_request')).toMatchObject({ isError: true });
  });

  it('is decided according to the policy if the tool gateway does not list the tool, even if the tool name begins with a server name', async () => {
    await approvals.apply(
      'version: "1"\nrules:\n  - { id: r, description: Reading, match: { tools: ["jira/get_*"] }, action: allow }\ndefaults: { action: deny }\n',
    );
    expect((await ask('jira__get_issue', 'steward')).decision).toBe('allow');
    expect((await ask('jira__drop_issue', 'steward')).decision).toBe('deny');
    expect((await ask('github__drop', 'steward')).decision).toBe('deny');
    expect((await ask('anything', 'steward')).decision).toBe('deny');
    // Another aggregator may use the same tool names.
    expect((await ask('github__merge_pull_request', 'other')).decision).toBe('deny');
    expect((await ask('get_approval_status', 'other')).decision).toBe('deny');
    expect((await ask('search_sessions')).decision).toBe('deny');
    // An additional name that the deployment configures.
    expect((await ask('github__merge_pull_request', 'acme-tools')).decision).toBe('allow');
  });

  it('passes only for tools of the tool gateway of its own account', async () => {
    const stranger = await approvals.people.register();
    const denied = 'version: "1"\nrules: []\ndefaults: { action: deny }\n';
    await approvals.people.gateway().call('POST', '/api/v1/policies/apply', {
      token: stranger.accessToken,
      body: denied,
      headers: { 'Content-Type': 'application/yaml' },
    });
    const body = { tool_name: 'github__merge_pull_request', server: 'steward' };
    expect((await approvals.check(body, { token: stranger.accessToken })).body.decision).toBe('deny');
  });
});
