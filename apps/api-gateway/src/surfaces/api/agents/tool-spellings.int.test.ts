import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals();
const ask = async (name: string, server?: string) =>
  (await approvals.check({ tool_name: name, arguments: {}, ...(server === undefined ? {} : { server }) })).body
    .decision as string;
const apply = async (...rules: object[]) => {
  const document = { version: '1', rules, defaults: { action: 'allow' } };
  expect((await approvals.apply(JSON.stringify(document))).status).toBe(201);
};
const deny = (...tools: string[]) => ({ id: 'no-drop', match: { tools }, action: 'deny' });

describe('a denied tool, regardless of how its client spells it (POL-27)', () => {
  beforeEach(() => apply(deny('db/drop', 'local/Bash')));

  it.each<[string, string | undefined]>([
    ['drop', 'db'],
    ['mcp__db__drop', undefined],
    ['db__drop', undefined],
    ['db/drop', undefined],
    ['drop', 'DB'],
    ['Drop', 'db'],
    ['DROP', 'Db'],
    ['drop ', 'db'],
    [' drop', 'db'],
    ['drop\n', 'db'],
    ['db/drop', 'db'],
    ['db__drop', 'db'],
    ['mcp__db__drop', 'db'],
    ['mcp__db__drop', 'local'],
    ['drop', 'db/'],
    ['drop', 'mcp__db'],
    ['x/drop', 'db'],
    ['mcp__DB__Drop', undefined],
    ['MCP__db__drop', undefined],
    ['mcp_db_drop', undefined],
    ['mcp_db_drop', 'local'],
    ['mcp_db__drop', undefined],
    ['drop', 'mcp_db'],
    ['mcp/db/drop', undefined],
    ['db.drop', undefined],
    ['db:drop', undefined],
    ['mcp.db.drop', undefined],
    ['functions.mcp__db__drop', undefined],
    ['mcp__plugin_tools_db__drop', undefined],
    ['drop', 'plugin_tools_db'],
    ['mcp__plugin_db_db__drop', undefined],
    ['mcp__claude_ai_DB__drop', undefined],
    ['drop', 'claude_ai_db'],
    ['mcp__DB__drop', undefined],
    ['ｄｒｏｐ', 'db'],
    ['dr op', 'db'],
    ['bash', undefined],
    ['Bash', 'Local'],
    ['BASH', 'local'],
  ])('cannot be called as %j of %j', async (name, server) => {
    expect(await ask(name, server)).toBe('deny');
    const tried = await approvals.call('POST', '/policies/test', {
      tool_name: name,
      ...(server === undefined ? {} : { server }),
    });
    expect(tried.body.decision).toBe('deny');
  });

  it.each<[string, string | undefined]>([
    ['query', 'db'],
    ['mcp__db__query', undefined],
    ['drop_all', 'db'],
    ['drop', 'files'],
    ['BashOutput', undefined],
    ['mcp__db__drop_all', undefined],
    ['mcp__claude_ai_files__drop', undefined],
    ['mcp__plugin_db_files__drop', undefined],
  ])('does not affect %j of %j', async (name, server) => {
    expect(await ask(name, server)).toBe('allow');
  });

  it.each([
    ['dr\u200bop', 'db'],
    ['dr\u0007op', 'db'],
    ['drop', 'd\u202eb'],
    ['  ', 'db'],
    ['drop', ' '],
  ])('is refused as %j of %j, which is not a valid tool name', async (name, server) => {
    const { status, body } = await approvals.check({ tool_name: name, server });
    expect([status, body.detail.code]).toEqual([422, 'invalid_request']);
  });
});

describe('policy rules and tool names (POL-27)', () => {
  it('match the same tool in the spelling used by agents', async () => {
    await apply(deny('mcp__db__drop', 'DB/Truncate'));
    expect([await ask('drop', 'db'), await ask('truncate', 'db'), await ask('query', 'db')]).toEqual([
      'deny',
      'deny',
      'allow',
    ]);
  });

  it('do not allow a name that differs in case', async () => {
    const allow = { id: 'only', match: { tools: ['db/Drop'] }, action: 'allow' };
    const document = { version: '1', rules: [allow], defaults: { action: 'deny' } };
    await approvals.apply(JSON.stringify(document));
    expect([await ask('Drop', 'db'), await ask('drop', 'db'), await ask('mcp__db__Drop')]).toEqual([
      'allow',
      'deny',
      'allow',
    ]);
  });

  it('hold a call whose name may refer to a tool that needs approval', async () => {
    await apply({ id: 'held', match: { tools: ['my__db/drop'] }, action: 'require_approval' });
    expect(await ask('mcp__my__db__drop')).toBe('pending');
  });

  it('apply in order, and an allow rule for a name in another case does not take precedence over a deny rule', async () => {
    const allow = (tool: string) => ({ id: `allow-${tool.length}`, match: { tools: [tool] }, action: 'allow' });
    await apply(allow('DB/drop'), allow('db/Dropped'), deny('db/drop', 'db/dropped'));
    expect([await ask('drop', 'dB'), await ask('DROPPED', 'db'), await ask('Dropped', 'db')]).toEqual([
      'deny',
      'deny',
      'allow',
    ]);
  });

  it.each([['db__drop'], ['mcp__db'], ['mcp__db__*']])('may be written as %s', async (pattern) => {
    await apply(deny(pattern));
    expect([await ask('drop', 'db'), await ask('drop', 'files')]).toEqual(['deny', 'allow']);
  });

  it('for tools of the agent itself do not apply to tools of servers', async () => {
    await apply(deny('local/*'));
    expect([await ask('Bash'), await ask('mcp__db__query'), await ask('query', 'db')]).toEqual([
      'deny',
      'allow',
      'allow',
    ]);
  });
});
