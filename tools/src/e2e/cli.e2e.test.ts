import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request as sendRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFreePort } from '@steward/local-servers';
import { eventually, startHttpReceiver } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { createCliRunner, type CliRunner } from './run-cli.ts';
import { startSuite, type Suite } from './start-suite.ts';

const PASSWORD = 'a long enough password';

interface TestFlow {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly url: string;
}

describe('the steward command against the suite', () => {
  let suite: Suite;
  let api: Api;
  let cli: CliRunner;
  let home: string;
  let baseUrl: string;
  let apiKey: string;
  const secrets: string[] = [PASSWORD];

  beforeAll(async () => {
    suite = await startSuite();
    home = mkdtempSync(join(tmpdir(), 'steward-cli-e2e-'));
    baseUrl = suite.url;
    await suite.api.call('POST', '/api/v1/auth/register', {
      body: { username: 'cli', email: 'cli@example.test', password: PASSWORD },
    });
    const login = await suite.api.call('POST', '/api/v1/auth/token/json', {
      body: { username: 'cli', password: PASSWORD },
    });
    api = suite.api.withToken(String(login.body.access_token));
    const key = await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'ci' } });
    apiKey = String(key.body.key);
    secrets.push(apiKey);
    cli = createCliRunner({ STEWARD_URL: baseUrl, STEWARD_API_KEY: apiKey, XDG_CONFIG_HOME: home });
  }, 120_000);

  afterAll(async () => {
    await cli.stop();
    await suite.stop();
    rmSync(home, { recursive: true, force: true });
  }, 60_000);

  let flows = 0;
  async function createFlow(command: string): Promise<TestFlow> {
    flows += 1;
    const name = `cli flow ${flows}`;
    const { body } = await api.call('POST', '/api/v1/flows', {
      body: { name, trigger: 'webhook', prompt_template: 'p', agent_type: 'command', agent_config: { command } },
    });
    const secret = String(
      (body as unknown as { webhook_config: { webhook_secret: string } }).webhook_config.webhook_secret,
    );
    secrets.push(secret);
    return { id: String(body.id), name, secret, url: `${baseUrl}/webhooks/flows/${String(body.id)}/${secret}` };
  }

  async function listExecutions(flow: TestFlow): Promise<{ id: string; status: string }[]> {
    const { body } = await api.call('GET', `/api/v1/flows/executions?flow_id=${flow.id}`);
    return body.items as unknown as { id: string; status: string }[];
  }

  const file = (name: string, content: string | Buffer): string => {
    const path = join(home, 'work', name);
    mkdirSync(resolve(path, '..'), { recursive: true });
    writeFileSync(path, content);
    return name;
  };
  const inWork = () => ({ cwd: join(home, 'work') });

  it('ends with 0 when the flow succeeded, having streamed its log and shown its result', async () => {
    const flow = await createFlow(`cat in/diff.txt; sha256sum in/blob.bin; printf '{"verdict":"fine"}' > result.json`);
    file('payload.json', '{"sha":"59b20b8"}');
    file('in/diff.txt', '+ added ä\n');
    file('in/blob.bin', Buffer.from([0, 255, 128]));
    const args = ['flow', 'trigger', flow.name, '--file', 'payload.json', '--attach', 'in', '--wait'];
    const done = await cli.run(args, inWork());
    expect([done.code, done.stderr]).toEqual([
      0,
      expect.stringMatching(/^accepted: execution [0-9a-f-]{36}, 2 workspace/),
    ]);
    expect(done.stdout).toContain('| + added ä\n');
    expect(done.stdout).toContain('| f742b965f156c10374bc23aea96e3a8aff8facd6fc079defeaa30219ad86f211');
    expect(done.stdout).toMatch(/SUCCEEDED after \d/);
    expect(done.stdout).toContain('"verdict": "fine"');
  }, 60_000);

  it('ends with 1 when the flow failed, saying why', async () => {
    const flow = await createFlow('echo about to fail; exit 7');
    const done = await cli.run(['flow', 'trigger', flow.id, '--wait']);
    expect(done.code).toBe(1);
    expect(done.stdout).toContain('| about to fail');
    expect(done.stdout).toContain('FAILED (agent_error)');
    expect(done.stderr).toContain('7');
  }, 60_000);

  it('starts a flow by its webhook URL alone and prints the execution', async () => {
    const flow = await createFlow('true');
    const env = { STEWARD_API_KEY: '', STEWARD_WEBHOOK_URL: flow.url };
    const done = await cli.run(['flow', 'trigger', '--file', '-'], { env, input: '{"a":1}' });
    const [execution] = await listExecutions(flow);
    expect([done.code, done.stdout]).toEqual([0, `${execution?.id ?? ''}\n`]);
  }, 60_000);

  it('waits for a webhook’s run with a key besides, and prints one JSON document with --json', async () => {
    const flow = await createFlow('echo line');
    const done = await cli.run(['flow', 'trigger', flow.url, '--wait', '--json']);
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ flow_id: flow.id, status: 'SUCCEEDED' });
    expect(done.stderr).toContain('| line');
  }, 60_000);

  describe('ends with 2 and starts nothing', () => {
    let flow: TestFlow;
    beforeAll(async () => {
      flow = await createFlow('true');
    });
    afterAll(async () => {
      expect(await listExecutions(flow)).toEqual([]);
    });

    it.each([
      ['an unknown flag', () => ['flow', 'trigger', flow.id, '--frobnicate'], /unknown option '--frobnicate'/],
      ['a surplus argument', () => ['flow', 'trigger', flow.id, 'more'], /too many arguments/],
      ['a wrong secret', () => ['flow', 'trigger', flow.url.slice(0, -4) + 'AAAA'], /flow id or the secret is wrong/],
      ['an unknown name', () => ['flow', 'trigger', 'no such flow'], /no flow named "no such flow"/],
      ['a URL that is no webhook', () => ['flow', 'trigger', `${baseUrl}/hook/hunter2hunter2`], /must look like/],
      ['an empty target', () => ['flow', 'trigger'], /Name the flow/],
    ])('for %s', async (_what, args, message) => {
      const done = await cli.run(args());
      expect([done.code, done.stdout]).toEqual([2, '']);
      expect(done.stderr).toMatch(message);
    });

    it('for a file over its cap, naming it, the cap and the overage', async () => {
      file('big.bin', Buffer.alloc(73_729));
      const done = await cli.run(['flow', 'trigger', flow.id, '--attach', 'big.bin'], inWork());
      expect(done.code).toBe(2);
      expect(done.stderr).toContain('"big.bin" has 98308 base64 bytes; the limit is 98304 (4 over)');
    });

    it('for --wait with a webhook URL and no login', async () => {
      const done = await cli.run(['flow', 'trigger', flow.url, '--wait'], { env: { STEWARD_API_KEY: '' } });
      expect(done.code).toBe(2);
      expect(done.stderr).toContain('Nothing was sent');
    });

    it('for --wait with a refused key', async () => {
      const env = { STEWARD_API_KEY: 'stw_this-key-was-revoked-long-ago' };
      const done = await cli.run(['flow', 'trigger', flow.url, '--wait'], { env });
      expect(done.code).toBe(2);
      expect(done.stderr).toContain('unauthenticated');
    });

    it('for a disabled flow', async () => {
      await api.call('PATCH', `/api/v1/flows/${flow.id}`, { body: { is_enabled: false } });
      const done = await cli.run(['flow', 'trigger', flow.url]);
      expect(done.code).toBe(2);
      expect(done.stderr).toContain('flow_disabled');
    });
  });

  it('ends with 3 when the time is over, and joins the run again', async () => {
    const flow = await createFlow('sleep 60');
    const late = await cli.run(['flow', 'trigger', flow.id, '--wait', '--timeout', '1']);
    expect(late.code).toBe(3);
    const [execution] = await listExecutions(flow);
    expect(late.stderr).toContain(`steward flow wait ${execution?.id ?? ''}`);
    const joined = cli.start(['flow', 'wait', execution?.id ?? '']);
    await api.call('POST', `/api/v1/flows/executions/${execution?.id ?? ''}/stop`);
    const done = await joined.ended;
    expect([done.code, done.stdout]).toEqual([1, expect.stringContaining('STOPPED (cancelled)')]);
  }, 60_000);

  it('ends with 3 when the service cannot be reached, and names the key that makes a repetition safe', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/webhooks/flows/x/flw_unreachable-secret-0123456789`;
    const done = await cli.run(['flow', 'trigger', url, '--retries', '1', '--idempotency-key', 'job-1']);
    expect(done.code).toBe(3);
    expect(done.stderr).toContain('trying again');
    expect(done.stderr).toContain('--idempotency-key job-1');
  }, 30_000);

  it('leaves the run alone on Ctrl-C, or stops it when told so', async () => {
    const flow = await createFlow('echo up; sleep 60');
    const left = cli.start(['flow', 'trigger', flow.id, '--wait']);
    await eventually(() => left.printed().includes('| up'), { timeoutMs: 30_000 });
    left.child.kill('SIGINT');
    expect([(await left.ended).code, left.printed()]).toEqual([130, expect.stringContaining('the execution runs on')]);
    const [first] = await listExecutions(flow);
    expect(first?.status).toBe('RUNNING');

    const stopped = cli.start(['flow', 'wait', first?.id ?? '', '--stop-on-interrupt']);
    await eventually(() => stopped.printed().includes('| up'), { timeoutMs: 30_000 });
    stopped.child.kill('SIGINT');
    expect((await stopped.ended).code).toBe(130);
    await eventually(async () => (await listExecutions(flow))[0]?.status === 'STOPPED', { timeoutMs: 30_000 });
  }, 90_000);

  it('starts one execution when the answer to the first request is lost', async () => {
    const flow = await createFlow('true');
    const proxy = await startLossyProxy(baseUrl);
    const done = await cli.run(['flow', 'trigger', flow.url.replace(baseUrl, proxy.url)]);
    await proxy.close();
    expect(done.code).toBe(0);
    expect(done.stderr).toContain('an earlier request already started it');
    expect(await listExecutions(flow)).toHaveLength(1);
  }, 60_000);

  it('tells every log line once when the gateway is killed while it streams', async () => {
    const flow = await createFlow('for i in $(seq 1 40); do echo "tick $i"; sleep 0.2; done');
    const running = cli.start(['flow', 'trigger', flow.id, '--wait']);
    await eventually(() => running.printed().includes('| tick 3\n'), { timeoutMs: 30_000 });
    await suite.crash('api-gateway');
    const done = await running.ended;
    expect(done.code).toBe(0);
    const ticks = done.stdout.split('\n').filter((line) => line.includes('| tick '));
    expect(ticks).toHaveLength(40);
    expect(new Set(ticks).size).toBe(40);
  }, 120_000);

  describe('login', () => {
    const env = () => ({ STEWARD_URL: '', STEWARD_API_KEY: '', XDG_CONFIG_HOME: join(home, 'login') });
    const config = () => join(home, 'login', 'steward', 'config.json');
    const stored = () =>
      JSON.parse(readFileSync(config(), 'utf8')) as { tokens?: Record<string, string>; apiKey?: string };

    it('stores what a password login brought, for its owner alone, and exchanges it when it is old', async () => {
      const args = ['login', '--url', `${baseUrl}/api/v1/`, '--username', 'cli'];
      const done = await cli.run(args, { env: env(), input: `${PASSWORD}\n` });
      expect([done.code, done.stdout]).toEqual([0, `logged in to ${baseUrl} as cli (owner)\n`]);
      expect(statSync(config()).mode & 0o777).toBe(0o600);
      const { tokens = {} } = stored();
      secrets.push(tokens.accessToken ?? '', tokens.refreshToken ?? '');
      const old = { url: baseUrl, tokens: { ...tokens, expiresAt: '2020-01-01T00:00:00Z' } };
      writeFileSync(config(), JSON.stringify(old), { mode: 0o600 });
      expect((await cli.run(['search', 'anything'], { env: env() })).code).toBe(0);
      expect(Date.parse(stored().tokens?.expiresAt ?? '')).toBeGreaterThan(Date.now());
      secrets.push(stored().tokens?.accessToken ?? '');
    }, 30_000);

    it('stores an API key that works, and none that does not', async () => {
      const args = ['login', '--url', baseUrl, '--api-key'];
      expect((await cli.run(args, { env: env(), input: apiKey })).code).toBe(0);
      expect(stored().apiKey).toBe(apiKey);
      const wrong = await cli.run(args, { env: env(), input: 'stw_not-a-key-at-all-0123456789' });
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('unauthenticated')]);
      expect(stored().apiKey).toBe(apiKey);
    }, 30_000);

    it('is forgotten by logout', async () => {
      expect((await cli.run(['logout'], { env: env() })).code).toBe(0);
      const done = await cli.run(['search', 'x'], { env: env() });
      expect([done.code, done.stderr]).toEqual([2, expect.stringContaining('Not logged in')]);
    }, 30_000);
  });

  it('finds a session by what was stored and marks the words', async () => {
    const session = await api.call('POST', '/api/v1/runtime-sessions', {
      body: { session_source_type: 'e2e', session_source_id: 'cli-search', title: 'The CLI session' },
    });
    await api.call('POST', `/api/v1/runtime-sessions/${String(session.body.id)}/tool-calls`, {
      body: { tool_name: 'bash', arguments: { command: 'ls' }, result: 'x & zyzzyva \u001b[31m& more' },
    });
    const shown = await cli.run(['search', 'zyzzyva', '--since', '1h', '--source-kind', 'tool_call'], {
      env: { FORCE_COLOR: '1' },
    });
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('The CLI session');
    expect(shown.stdout).toContain('x & \u001b[7mzyzzyva\u001b[27m');
    expect(shown.stdout).not.toContain('\u001b[31m');
    const none = await cli.run(['search', '--json', 'zyzzyva', '--until', '2020-01-01']);
    expect(JSON.parse(none.stdout)).toMatchObject({ results: [], total: 0 });
    const refused = await cli.run(['search', '--', '-zyzzyva']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('query_has_no_terms')]);
  }, 30_000);

  describe('webhooks', () => {
    async function register(port: number): Promise<{ id: string; secret: string }> {
      const { body } = await api.call('POST', '/api/v1/event-webhooks/endpoints', {
        body: { url: `http://127.0.0.1:${port}/events`, description: 'cli', event_types: [] },
      });
      secrets.push(String(body.secret));
      return { id: String(body.id), secret: String(body.secret) };
    }

    it('are received, verified, printed and forwarded byte for byte', async () => {
      const receiver = await startHttpReceiver();
      const port = await findFreePort();
      const endpoint = await register(port);
      const env = { STEWARD_WEBHOOK_SECRET: endpoint.secret };
      const listener = cli.start(
        ['webhooks', 'listen', '--port', String(port), '--forward', `${receiver.url}/app?x=1`],
        { env },
      );
      await eventually(() => listener.printed().includes('listening on'));
      await api.call('POST', `/api/v1/event-webhooks/endpoints/${endpoint.id}/test`);
      const [forwarded] = await receiver.waitForRequests(1, 30_000);
      await eventually(() =>
        /webhook\.test .*attempt 1 .*signature valid .*answered 200, forwarded/.test(listener.printed()),
      );

      file('captured.json', forwarded?.body ?? Buffer.alloc(0));
      const signature = String(forwarded?.headers['x-service-signature']);
      expect(forwarded?.path).toBe('/app?x=1');
      const verify = (...more: string[]) =>
        cli.run(['webhooks', 'verify', '--body', 'captured.json', '--signature', signature, ...more], {
          env,
          ...inWork(),
        });
      expect((await verify()).code).toBe(0);
      file('captured.json', `${String(forwarded?.body)} `);
      expect([(await verify()).code, (await verify()).stdout]).toEqual([
        1,
        expect.stringContaining('Either the secret is not'),
      ]);
      expect((await verify('--secret', '')).code).toBe(2);

      listener.child.kill('SIGINT');
      expect((await listener.ended).code).toBe(0);
      await receiver.close();
      await api.call('DELETE', `/api/v1/event-webhooks/endpoints/${endpoint.id}`);
    }, 60_000);

    it('that do not verify are answered 401 and go no further', async () => {
      const receiver = await startHttpReceiver();
      const env = { STEWARD_WEBHOOK_SECRET: 'whsec_another-secret-than-the-sender' };
      const listener = cli.start(['webhooks', 'listen', '--json', '--forward', receiver.url], { env });
      const port = await eventually(() => /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(listener.printed())?.[1]);
      const endpoint = await register(Number(port));
      await api.call('POST', `/api/v1/event-webhooks/endpoints/${endpoint.id}/test`);
      const line = await eventually(() => /^\{.*\}$/m.exec(listener.printed())?.[0], { timeoutMs: 30_000 });
      expect(JSON.parse(line)).toMatchObject({ event_type: 'webhook.test', signature: 'invalid', answered: 401 });
      expect(receiver.requests).toEqual([]);
      listener.child.kill('SIGTERM');
      await listener.ended;
      await receiver.close();
      await api.call('DELETE', `/api/v1/event-webhooks/endpoints/${endpoint.id}`);
    }, 60_000);

    it('cannot be received on a port in use: exit code 2, naming the flag', async () => {
      const receiver = await startHttpReceiver();
      const done = await cli.run(['webhooks', 'listen', '--port', String(receiver.port)]);
      await receiver.close();
      expect([done.code, done.stderr]).toEqual([2, expect.stringContaining('--port')]);
    });
  });

  it('runs as built, without the sources', () => {
    const root = resolve(WORKSPACE_ROOT, 'tools/cli');
    const built = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8' });
    expect([built.status, built.status === 0 ? '' : built.stdout]).toEqual([0, '']);
    const help = spawnSync(
      process.execPath,
      ['--no-experimental-strip-types', resolve(root, 'bin/steward.js'), '--help'],
      { encoding: 'utf8' },
    );
    expect([help.status, help.stdout]).toEqual([0, expect.stringContaining('Usage: steward')]);
  }, 60_000);

  it('says what to do where neither the sources can run nor a build is there: exit code 2, not the one of a failed flow', () => {
    const folder = mkdtempSync(resolve(tmpdir(), 'steward-cli-'));
    mkdirSync(resolve(folder, 'bin'));
    mkdirSync(resolve(folder, 'src'));
    writeFileSync(resolve(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(resolve(folder, 'src/main.ts'), '');
    copyFileSync(resolve(WORKSPACE_ROOT, 'tools/cli/bin/steward.js'), resolve(folder, 'bin/steward.js'));
    const done = spawnSync(
      process.execPath,
      ['--no-experimental-strip-types', resolve(folder, 'bin/steward.js'), '--help'],
      { encoding: 'utf8' },
    );
    rmSync(folder, { recursive: true });
    expect([done.status, done.stderr]).toEqual([2, expect.stringContaining('npx steward')]);
  });

  it('has printed no credential, whatever happened', () => {
    for (const secret of secrets) expect(cli.everything()).not.toContain(secret);
    expect(cli.everything()).not.toMatch(/hunter2|(?:flw|whsec|stw)_[\w-]{16}/);
  });
});

/** Passes requests on but cuts the first connection instead of answering, as a broken network would. */
async function startLossyProxy(target: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  let requests = 0;
  const server: Server = createServer((incoming, outgoing) => {
    requests += 1;
    const isLost = requests === 1;
    const { method, headers, url } = incoming;
    const passed = sendRequest(`${target}${url ?? ''}`, { method, headers }, (answer) => {
      if (isLost) incoming.socket.destroy();
      else answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
