import fc from 'fast-check';
import { connectMcp, type McpClient } from '../../../testing/mcp-tests.ts';
import { text, tool } from '../../../testing/start-upstream-host.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';

const servers = useToolServers();
const { approvals } = servers;
const TOOLS = ['query', 'write_row', 'drop'];
let client: McpClient;
let token: string;
let agentId: string;

beforeEach(async () => {
  for (const name of ['db', 'files']) {
    await servers.add(
      name,
      TOOLS.map((each) => tool(each, () => text('ran'))),
    );
  }
  await approvals.call('POST', '/approval-workflows', { name: 'w', approval_wait_seconds: 0, is_default: true });
  token = await approvals.addAgent();
  agentId = (await approvals.call('GET', '/agents')).body.items[0].id as string;
  client = await connectMcp(approvals.people.gateway().url, token);
});
afterEach(() => client.close());

const CONDITIONS = [
  undefined,
  "args.env == 'prod'",
  "has(args.path) && args.path.startsWith('/etc')",
  'args.n > 2',
  "args.list.exists(x, x == 'a')",
  "agent.kind == 'release_bot'",
  "tool.name.startsWith('write_')",
];
const GLOBS = ['*/*', 'db/*', '*/write_*', 'files/drop', 'db/query', 'local/*'];

const rule = fc.record({
  tools: fc.uniqueArray(fc.constantFrom(...GLOBS), { minLength: 1, maxLength: 2 }),
  condition: fc.constantFrom(...CONDITIONS),
  action: fc.constantFrom('allow', 'deny', 'require_approval'),
});
const document = fc.record({
  rules: fc.array(rule, { maxLength: 4 }),
  action: fc.constantFrom('allow', 'deny', 'require_approval'),
});
const args = fc.record(
  {
    env: fc.constantFrom('prod', 'test', 1),
    path: fc.constantFrom('/etc/passwd', '/tmp', null),
    n: fc.constantFrom(1, 3, 'three'),
    list: fc.constantFrom([], ['a'], 'a'),
  },
  { requiredKeys: [] },
);
const call = fc.record({ server: fc.constantFrom('db', 'files'), name: fc.constantFrom(...TOOLS), args });

describe('a policy decision about a call (PO-13)', () => {
  it('is the same whether the call is tested, checked or enforced', async () => {
    let unique = 0;
    await fc.assert(
      fc.asyncProperty(document, call, async ({ rules, action }, { server, name, args: drawn }) => {
        const given = { version: '1', rules: rules.map(toRule), defaults: { action } };
        expect((await approvals.apply(JSON.stringify(given))).status).toBeLessThan(300);
        // The arguments are unique, so that no call shares the approval request of another one.
        unique += 1;
        const send = { ...drawn, unique };
        const body = { tool_name: name, server, arguments: send };
        const tried = (await tryOut({ ...body, agent_id: agentId })).body.decision;
        const asked = (await approvals.check({ ...body, arguments: { ...send, by: 'check' } }, { token })).body
          .decision;
        const made = await client.call(`${server}__${name}`, { ...send, by: 'mcp' });
        const enforced =
          made.structuredContent?.['status'] === 'pending_approval'
            ? 'require_approval'
            : made.isError === true
              ? 'deny'
              : 'allow';
        expect([asked === 'pending' ? 'require_approval' : asked, enforced]).toEqual([tried, tried]);
      }),
      { numRuns: 60 },
    );
  });
});

const toRule = (
  { tools, condition, action }: { tools: string[]; condition: string | undefined; action: string },
  index: number,
) => ({
  id: `rule-${index}`,
  description: `Rule ${index}`,
  match: { tools },
  action,
  ...(condition === undefined ? {} : { condition }),
});

/** Tests the policy for the same caller that makes the call. */
const tryOut = (body: object) => approvals.call('POST', '/policies/test', body);
