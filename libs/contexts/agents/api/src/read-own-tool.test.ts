import { createReadOwnTool, requireServerName } from './read-own-tool.ts';

const readOwnTool = createReadOwnTool();
const TOOLS = ['github__merge_pull_request', 'get_approval_status', 'ask_operator'];

describe('a tool of the tool gateway at /mcp/v1 (TOOL-21)', () => {
  it.each<[string, (tool: string) => { name: string; server?: string }]>([
    ['as coding agents name it', (tool) => ({ name: `mcp__steward__${tool}` })],
    ['as the hook sends it', (tool) => ({ server: 'steward', name: tool })],
    ['as a server with a prefix', (tool) => ({ server: 'mcp__steward', name: tool })],
    ['as a server in upper case', (tool) => ({ server: ' Steward ', name: tool })],
    ['as a plugin of Claude Code', (tool) => ({ server: 'plugin_acme_tools_steward', name: tool })],
    ['as a plugin in a single name', (tool) => ({ name: `mcp__plugin_acme_steward__${tool}` })],
    ['as a connector of Claude', (tool) => ({ server: 'claude_ai_Steward', name: tool })],
    ['as Gemini CLI and VS Code name it', (tool) => ({ name: `mcp_steward_${tool}` })],
    ['as opencode names it', (tool) => ({ name: `steward_${tool}` })],
    ['with two underscores', (tool) => ({ name: `steward__${tool}` })],
    ['in the notation of policies', (tool) => ({ name: `steward/${tool}` })],
    ['as functions of a model', (tool) => ({ name: `functions.mcp__steward__${tool}` })],
    ['with the server named twice', (tool) => ({ server: 'steward', name: `mcp__steward__${tool}` })],
    ['as a local tool', (tool) => ({ server: 'local', name: `mcp__steward__${tool}` })],
  ])('is recognized %s', (_what, write) => {
    for (const tool of TOOLS) expect(readOwnTool(write(tool))).toBe(tool);
  });

  it('is recognized under additional names that the deployment sets', () => {
    const read = createReadOwnTool(['acme-tools', 'gov']);
    for (const name of ['mcp__gov__github__x', 'mcp_acme-tools_github__x', 'mcp__steward__github__x'])
      expect(read({ name })).toBe('github__x');
    expect(read({ server: 'Gov', name: 'github__x' })).toBe('github__x');
    expect(read({ server: 'acme', name: 'github__x' })).toBeUndefined();
    expect(readOwnTool({ server: 'gov', name: 'github__x' })).toBeUndefined();
    for (const name of ['', 'a b', 'a|b', '.*', '-x']) expect(() => requireServerName(name)).toThrow(name);
  });

  it.each(['get_approval_status', 'MCP:get_approval_status', ' get_approval_status '])(
    'is recognized without a server if it is the approval status tool: %s',
    (name) => {
      expect(readOwnTool({ name })).toBe('get_approval_status');
    },
  );

  it.each<[string, { name: string; server?: string }]>([
    ['another server', { server: 'github', name: 'merge_pull_request' }],
    ['a tool of the same name on another server', { server: 'github', name: 'get_approval_status' }],
    ['a server with a similar name', { server: 'steward-copy', name: 'ask_operator' }],
    ['a server whose name has the same ending', { server: 'not-steward', name: 'ask_operator' }],
    ['a tool whose name begins with the server name', { server: 'github', name: 'steward__x' }],
    ['a server with a similar name, in a single name', { name: 'mcp__stewards__ask_operator' }],
    ['a built-in tool', { name: 'Bash' }],
    ['a built-in tool with the same name', { name: 'ask_operator' }],
    ['a single tool of Cursor', { name: 'MCP:github__merge_pull_request' }],
    ['the server name without a tool', { name: 'steward' }],
  ])('is not recognized in %s', (_what, given) => {
    expect(readOwnTool(given)).toBeUndefined();
  });
});
