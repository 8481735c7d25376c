import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { HOSTED_SERVER_CONTEXT, HOSTED_SERVER_HEADER, type HostedServer } from '@steward/contracts';
import { createSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { createToolServerClient, type ToolServerClient } from '@steward/mcp-client';
import { eventually } from '@steward/testing';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

/** Tool server that implements the protocol using only Node: one line per message. */
const PROGRAM = `
const { createInterface } = require('node:readline');
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
console.error('begun with ' + process.argv.slice(1).join(' '));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (method === 'initialize')
    return say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } } });
  if (method === 'tools/list') return say({ id, result: { tools: [{ name: 'env', inputSchema: { type: 'object' } }] } });
  if (method !== 'tools/call') return;
  const { name, arguments: args } = params;
  if (args.exit) process.exit(3);
  if (args.large) return process.stdout.write('x'.repeat(5 * 1024 * 1024) + '\\n');
  if (args.progress) say({ method: 'notifications/message', params: { level: 'info', data: 'on the way' } });
  const { TOKEN, HOME } = process.env;
  say({ id, result: { content: [{ type: 'text', text: JSON.stringify({ pid: process.pid, TOKEN, HOME, secret: process.env.FLOW_SECRET_KEY, big: args.big }) }] } });
});
`;

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

const box = createSecretBox('a-secret-key-for-tests-only-0123456789', KEY_PURPOSES.flowAgent);
async function startHost(environment: Record<string, string>) {
  const port = await findPort();
  const started = await startTestWorker({ TOOL_SERVER_HOST_PORT: String(port), ...environment });
  return { worker: started, origin: `http://127.0.0.1:${port}` };
}

let worker: TestWorker;
let patient: Awaited<ReturnType<typeof startHost>>;
let client: ToolServerClient;
let origin = '';
beforeAll(async () => {
  ({ worker, origin } = await startHost({ TOOL_SERVER_IDLE_SECONDS: '2' }));
  patient = await startHost({ TOOL_SERVER_IDLE_SECONDS: '600' });
  client = createToolServerClient({ insecureOrigins: [origin, patient.origin] });
});
afterAll(async () => {
  await client.close();
  await worker.stop();
  await patient.worker.stop();
});

let count = 0;
function target(more: Partial<HostedServer> = {}, at = origin) {
  count += 1;
  const hosted: HostedServer = {
    key: `account/${count} 1`,
    expires_at: Date.now() + 60_000,
    command: 'node',
    args: ['-e', PROGRAM, 'one'],
    env: { TOKEN: 'hush' },
    network_allow: [],
    ...more,
  };
  const headers = {
    [HOSTED_SERVER_HEADER]: box.seal(JSON.stringify(hosted), HOSTED_SERVER_CONTEXT).toString('base64'),
  };
  return { key: hosted.key, name: 'program', isProgram: true, url: `${at}/mcp`, headers };
}
const never = new AbortController().signal;
const call = (at: ReturnType<typeof target>, args: object = {}, caller = 'one', onLog?: (log: unknown) => void) =>
  client.callTool(at, {
    name: 'env',
    arguments: args as Record<string, unknown>,
    caller,
    traceparent: '',
    signal: never,
    ...(onLog === undefined ? {} : { onLog }),
  });
const said = async (answer: ReturnType<typeof call>) =>
  JSON.parse(((await answer).content[0] as { text: string }).text) as Record<string, unknown>;
const readLog = async ({ headers }: ReturnType<typeof target>) =>
  ((await (await fetch(`${origin}/log`, { headers })).json()) as { lines: string[] }).lines.join('\n');

describe('a tool server that is a program (MCP-12, MCP-13)', () => {
  it('is started in a sandbox with its variables, its tools are listed and called, and its session is kept', async () => {
    const at = target();
    expect((await client.listTools(at, never)).tools).toEqual([{ name: 'env', inputSchema: { type: 'object' } }]);
    const logs: unknown[] = [];
    const first = await said(call(at, { progress: true, big: 1 }, 'one', (log) => logs.push(log)));
    expect(first).toMatchObject({ TOKEN: 'hush', HOME: expect.stringContaining('/home') as unknown });
    expect(first).not.toHaveProperty('secret');
    expect(logs).toEqual([{ level: 'info', data: 'on the way' }]);
    expect((await said(call(at)))['HOME']).toBe(first['HOME']);
    // Another caller has another program.
    expect((await said(call(at, {}, 'two')))['HOME']).not.toBe(first['HOME']);
    expect(await readLog(at)).toContain('begun with one');
    // No process is left after its idle time.
    await eventually(() => Promise.resolve(!existsSync(String(first['HOME']))));
    expect((await said(call(at)))['HOME']).not.toBe(first['HOME']);
  });

  it('that exits is started again for the next call, but not if it repeatedly exits immediately', async () => {
    const at = target();
    await said(call(at));
    await expect(call(at, { exit: true })).rejects.toThrow(/connection ended.*may have run/);
    await said(call(at));
    await eventually(async () => (await readLog(at)).includes('The program ended with 3'));
    const broken = target({
      args: ['-e', 'console.error("no token=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"); process.exit(1)'],
    });
    for (let tries = 0; tries < 3; tries += 1)
      await expect(client.listTools(broken, never)).rejects.toThrow(/cannot be used/);
    await expect(client.listTools(broken, never)).rejects.toThrow(/503.*see its log/);
    expect(await readLog(broken)).not.toContain('ghp_0123');
  });

  it('that exceeds the message limit is ended, and an invalid command is reported', async () => {
    await expect(call(target(), { large: true })).rejects.toThrow(/connection ended|cannot be used/);
    const none = target({ command: 'no-such-program' });
    await expect(client.listTools(none, never)).rejects.toThrow(/cannot be used/);
    await eventually(async () => (await readLog(none)).includes('not started'));
  });

  it('accepts a command of the maximum length, and arguments of a megabyte', async () => {
    const at = target({ env: { TOKEN: 'ü'.repeat(15_000) } });
    expect(await said(call(at, { note: 'x'.repeat(1024 * 1024) }))).toMatchObject({ TOKEN: 'ü'.repeat(15_000) });
  });

  it('does not log the values of its variables', async () => {
    const at = target({
      args: ['-e', `console.error('connecting as ' + process.env.TOKEN + ' to ' + process.env.MODE); ${PROGRAM}`],
      env: { TOKEN: 'correct horse battery', MODE: 'true' },
    });
    await said(call(at));
    await eventually(async () => (await readLog(at)).includes('connecting as [redacted] to true'));
    expect(await readLog(at)).not.toContain('horse');
  });

  it('frees a slot for another caller if one of its processes is idle', async () => {
    const at = target({}, patient.origin);
    const homes: unknown[] = [];
    for (let caller = 0; caller < 8; caller += 1) homes.push((await said(call(at, {}, `caller ${caller}`)))['HOME']);
    // A recently used session is never ended, because it may have just started.
    await eventually(() => said(call(at, {}, 'the last')));
    expect((await said(call(at, {}, 'caller 7')))['HOME']).toBe(homes[7]);
    const again = await eventually(() => said(call(at, {}, 'caller 0')));
    expect(again['HOME']).not.toBe(homes[0]);
  });

  it('ends immediately with all its processes when it is deleted or disabled, whatever version they run', async () => {
    const at = target({}, patient.origin);
    const homes = [(await said(call(at)))['HOME'], (await said(call(at, {}, 'two')))['HOME']];
    const other = await said(call(target({}, patient.origin)));
    const later = target({ key: at.key.replace(/ 1$/, ' 2') }, patient.origin);
    expect(await client.readJson(later, '/programs', never, 'DELETE')).toEqual({ ended: 2 });
    await eventually(() => Promise.resolve(!homes.some((home) => existsSync(String(home)))));
    expect(existsSync(String(other['HOME']))).toBe(true);
    expect(await client.readJson(later, '/programs', never, 'DELETE')).toEqual({ ended: 0 });
  });

  it('that does not read its input receives only a limited amount of it, and the next request reports this', async () => {
    const at = target(
      {
        args: [
          '-e',
          PROGRAM.replace(
            "if (method !== 'tools/call') return;",
            "if (method !== 'tools/call') return; process.stdin.pause(); return void setInterval(() => undefined, 1e6);",
          ),
        ],
      },
      patient.origin,
    );
    await client.listTools(at, never);
    const large = { note: 'x'.repeat(1024 * 1024) };
    const answers = Array.from({ length: 12 }, () => call(at, large).then(({ content }) => JSON.stringify(content)));
    expect(await Promise.race(answers)).toContain('does not read its input');
    await client.readJson(at, '/programs', never, 'DELETE');
    await Promise.allSettled(answers);
  });

  it('is run only at the request of the gateway', async () => {
    const other = createSecretBox('another-secret-key-for-tests-0123456789', KEY_PURPOSES.flowAgent);
    const forged = other.seal('{}', HOSTED_SERVER_CONTEXT).toString('base64');
    for (const headers of [{}, { [HOSTED_SERVER_HEADER]: 'x' }, { [HOSTED_SERVER_HEADER]: forged }])
      expect((await fetch(`${origin}/mcp`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    await expect(client.listTools(target({ expires_at: Date.now() - 1 }), never)).rejects.toThrow(/401.*its clock/);
    const unsealed = { ...target(), headers: {} };
    await expect(client.readJson(unsealed, '/log', never)).rejects.toThrow(/401.*FLOW_SECRET_KEY/);
  });
});
