import { findFreePort } from '@steward/local-servers';
import { eventually, releaseAfterAll, scaleLimit } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { registerOwner } from './register-owner.ts';
import { startSuiteOf, type Suite } from './start-suite.ts';

const TIMEOUT_MS = scaleLimit(300_000);
/** Tool server that implements MCP over its standard input and output, using only Node. */
const PROGRAM = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
console.error('begun');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  const { protocolVersion, arguments: args = {} } = params;
  if (method === 'initialize') say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } } });
  if (method === 'tools/list') say({ id, result: { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] } });
  if (method === 'tools/call' && args.exit) process.exit(3);
  if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: process.env.GREETING + ' ' + args.name }] } });
});
`;

describe('a tool server that is a program, run by the flow worker (MCP-11)', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  let api: Api;
  let key: string;

  beforeAll(async () => {
    const port = await findFreePort();
    suite = await startSuiteOf(['api-gateway', 'flow-trigger'], {
      TOOL_SERVER_HOST_PORT: String(port),
      TOOL_SERVER_HOST_URL: `http://127.0.0.1:${port}`,
    });
    release(suite.stop);
    ({ api } = await registerOwner(suite.api, 'programs'));
    const made = await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'agent' } });
    key = String(made.body['key']);
  }, TIMEOUT_MS);

  const callTool = async (args: object): Promise<string> => {
    const answer = await fetch(`${suite.url}/mcp/v1`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'files__greet', arguments: args },
      }),
    });
    return answer.text();
  };

  it(
    'is added by an owner, lists its tools, is called by agents, and recovers after it or its worker ended',
    async () => {
      const command = { command: 'node', args: ['-e', PROGRAM], env: { GREETING: 'Good day' } };
      const added = await api.call('POST', '/api/v1/mcp-servers', {
        body: { name: 'files', transport: 'stdio', command },
      });
      expect([added.status, added.body['command']]).toEqual([
        201,
        { command: 'node', args: ['-e', PROGRAM], env_names: ['GREETING'], network_allow: [] },
      ]);
      const path = `/api/v1/mcp-servers/${String(added.body['id'])}`;
      const refreshed = await api.call('POST', `${path}/refresh`);
      expect(refreshed.body).toMatchObject({ status: 'ok', last_error: null, tools_count: 1 });
      expect(await callTool({ name: 'Dana' })).toContain('Good day Dana');
      expect(await callTool({ exit: true })).toContain('may have run');
      expect(await callTool({ name: 'again' })).toContain('Good day again');
      const readLog = async () => JSON.stringify((await api.call('GET', `${path}/log`)).body);
      await eventually(async () => (await readLog()).includes('The program ended with 3'));
      expect(await readLog()).toContain('begun');
      await suite.crash('flow-trigger');
      await eventually(async () => (await callTool({ name: 'for good' })).includes('Good day for good'));
    },
    TIMEOUT_MS,
  );
});
