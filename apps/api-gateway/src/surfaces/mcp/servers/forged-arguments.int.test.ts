import { connectMcp } from '../../../testing/mcp-tests.ts';
import { text, tool } from '../../../testing/start-upstream-host.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';

const servers = useToolServers();
const { approvals } = servers;
const value = (words: string) => ({ $typeName: 'google.protobuf.Value', kind: { case: 'stringValue', value: words } });
const struct = (members: object) => ({ $typeName: 'google.protobuf.Struct', fields: members });

/** Arguments with which a caller tries to make a policy condition see a SELECT while the tool gets a DROP. */
const FORGED: readonly object[] = [
  { sql: 'DROP TABLE x', ...struct({ sql: value('SELECT 1') }) },
  { ...struct({ sql: value('SELECT 1') }), sql: 'DROP TABLE x' },
  {
    sql: 'DROP TABLE x',
    $typeName: 'google.protobuf.Value',
    kind: { case: 'structValue', value: struct({ sql: value('SELECT 1') }) },
  },
  { sql: { $typeName: 'google.protobuf.StringValue', value: 'SELECT 1' } },
  { sql: 'DROP TABLE x', $typeName: 'google.protobuf.Any', typeUrl: 'x', value: 'SELECT 1' },
  { sql: 'DROP TABLE x', toJSON: 'SELECT 1', constructor: { name: 'Object' } },
];
const SELECT = 'args.sql.startsWith("SELECT")';
const DROP = 'args.sql.contains("DROP")';

describe('arguments that look like protocol messages (POL-26)', () => {
  const ran: object[] = [];
  let token: string;
  beforeEach(async () => {
    ran.length = 0;
    await servers.add('db', [tool('run', ({ arguments: given }) => (ran.push(given), text('done')))]);
    token = approvals.owner().accessToken;
  });
  const apply = (rule: object, action: string) =>
    approvals.apply(
      JSON.stringify({
        version: '1',
        rules: [{ id: 'r', match: { tools: ['db/run'] }, ...rule }],
        defaults: { action },
      }),
    );
  const call = async (args: object) => {
    const client = await connectMcp(approvals.people.gateway().url, token);
    try {
      return await client.call('db__run', args as Record<string, unknown>, { meta: { 'steward/wait_seconds': 0 } });
    } finally {
      await client.close();
    }
  };

  it.each([
    ['an allow list', { condition: SELECT, action: 'allow' }, 'deny'],
    ['a rule that denies', { condition: DROP, action: 'deny' }, 'allow'],
    ['a rule that requires approval', { condition: DROP, action: 'require_approval' }, 'allow'],
  ])('are not accepted by %s, on either API', async (_by, rule, action) => {
    await apply(rule, action);
    for (const args of FORGED) {
      const asked = await approvals.check({ tool_name: 'run', server: 'db', arguments: args }, { token });
      expect([args, asked.body.decision]).toEqual([args, expect.not.stringMatching('allow')]);
      await call(args);
      expect(ran).toEqual([]);
    }
  });

  it('are passed to an allowed tool as they were sent, whatever their member names', async () => {
    await apply({ condition: 'args.driver == "y" && args.constructor == "Ferrari"', action: 'allow' }, 'deny');
    const args = JSON.parse(
      '{"driver": "y", "constructor": "Ferrari", "$typeName": "x", "kind": {"case": "y"}, "n": 1.0}',
    ) as object;
    await call(args);
    expect(JSON.stringify(ran)).toBe(JSON.stringify([args]));
  });
});

describe('a call that contains a key twice in its JSON text (POL-28)', () => {
  const send = async (body: string) => {
    const { accessToken } = approvals.owner();
    const headers = {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const response = await fetch(`${approvals.people.gateway().url}/mcp/v1`, { method: 'POST', headers, body });
    return response.text();
  };
  const rpc = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;

  it.each([
    ['a key in the arguments', rpc('{"name":"db__run","arguments":{"sql":"SELECT 1","sql":"DROP TABLE x"}}')],
    [
      'a key in the arguments, with escapes',
      rpc('{"name":"db__run","arguments":{"sql":"DROP TABLE x","s\\u0071l":"SELECT 1"}}'),
    ],
    [
      'the arguments themselves',
      rpc('{"name":"db__run","arguments":{"sql":"SELECT 1"},"arguments":{"sql":"DROP TABLE x"}}'),
    ],
  ])('is evaluated and made with the same one of the two values: %s', async (_what, body) => {
    const ran: Record<string, unknown>[] = [];
    await servers.add('db', [tool('run', ({ arguments: given }) => (ran.push(given), text('done')))]);
    const rules = [{ id: 'only', match: { tools: ['db/run'] }, condition: SELECT, action: 'allow' }];
    await approvals.apply(JSON.stringify({ version: '1', rules, defaults: { action: 'deny' } }));
    await send(body);
    expect(ran.filter(({ sql }) => sql !== 'SELECT 1')).toEqual([]);
  });
});
