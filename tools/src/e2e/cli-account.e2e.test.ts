import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '@steward/local-servers';
import { eventually, startHttpReceiver } from '@steward/testing';
import { PASSWORD } from './register-owner.ts';
import { useCli } from './use-cli.ts';

describe('the steward command of an account: login, search, webhooks', () => {
  const tests = useCli();

  describe('login', () => {
    const env = () => ({ STEWARD_URL: '', STEWARD_API_KEY: '', XDG_CONFIG_HOME: join(tests.home, 'login') });
    const config = () => join(tests.home, 'login', 'steward', 'config.json');
    const stored = () =>
      JSON.parse(readFileSync(config(), 'utf8')) as { tokens?: Record<string, string>; apiKey?: string };

    it('stores the tokens of a password login, readable only by its owner, and refreshes expired ones', async () => {
      const args = ['login', '--url', `${tests.baseUrl}/api/v1/`, '--username', tests.username];
      const done = await tests.cli.run(args, { env: env(), input: `${PASSWORD}\n` });
      expect([done.code, done.stdout]).toEqual([0, `logged in to ${tests.baseUrl} as ${tests.username} (owner)\n`]);
      expect(statSync(config()).mode & 0o777).toBe(0o600);
      const { tokens = {} } = stored();
      tests.secrets.push(tokens.accessToken ?? '', tokens.refreshToken ?? '');
      const old = { url: tests.baseUrl, tokens: { ...tokens, expiresAt: '2020-01-01T00:00:00Z' } };
      writeFileSync(config(), JSON.stringify(old), { mode: 0o600 });
      expect((await tests.cli.run(['search', 'anything'], { env: env() })).code).toBe(0);
      expect(Date.parse(stored().tokens?.expiresAt ?? '')).toBeGreaterThan(Date.now());
      tests.secrets.push(stored().tokens?.refreshToken ?? '', stored().tokens?.accessToken ?? '');
    });

    it('stores only a valid API key', async () => {
      const args = ['login', '--url', tests.baseUrl, '--api-key'];
      expect((await tests.cli.run(args, { env: env(), input: tests.apiKey })).code).toBe(0);
      expect(stored().apiKey).toBe(tests.apiKey);
      const wrong = await tests.cli.run(args, { env: env(), input: 'stw_not-a-key-at-all-0123456789' });
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('unauthenticated')]);
      expect(stored().apiKey).toBe(tests.apiKey);
    });

    it('is ended by logout, on this machine and at the service', async () => {
      const args = ['login', '--url', tests.baseUrl, '--username', tests.username];
      expect((await tests.cli.run(args, { env: env(), input: `${PASSWORD}\n` })).code).toBe(0);
      const { tokens = {} } = stored();
      tests.secrets.push(tokens.accessToken ?? '', tokens.refreshToken ?? '');
      const readMe = async (): Promise<number> =>
        (
          await fetch(`${tests.baseUrl}/api/v1/users/me`, {
            headers: { authorization: `Bearer ${tokens.accessToken ?? ''}` },
          })
        ).status;
      expect(await readMe()).toBe(200);
      expect((await tests.cli.run(['logout'], { env: env() })).code).toBe(0);
      expect(await readMe()).toBe(401);
      const done = await tests.cli.run(['search', 'x'], { env: env() });
      expect([done.code, done.stderr]).toEqual([2, expect.stringContaining('Not logged in')]);
    });
  });

  it('finds a session by its content and highlights the words', async () => {
    const session = await tests.api.call('POST', '/api/v1/runtime-sessions', {
      body: { session_source_type: 'e2e', session_source_id: 'cli-search', title: 'The CLI session' },
    });
    await tests.api.call('POST', `/api/v1/runtime-sessions/${String(session.body.id)}/tool-calls`, {
      body: { tool_name: 'bash', arguments: { command: 'ls' }, result: 'x & zyzzyva \u001b[31m& more' },
    });
    const shown = await tests.cli.run(['search', 'zyzzyva', '--since', '1h', '--source-kind', 'tool_call'], {
      env: { FORCE_COLOR: '1' },
    });
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('The CLI session');
    expect(shown.stdout).toContain('x & \u001b[7mzyzzyva\u001b[27m');
    expect(shown.stdout).not.toContain('\u001b[31m');
    const none = await tests.cli.run(['search', '--json', 'zyzzyva', '--until', '2020-01-01']);
    expect(JSON.parse(none.stdout)).toMatchObject({ results: [], total: 0 });
    const refused = await tests.cli.run(['search', '--', '-zyzzyva']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('query_has_no_terms')]);
  });

  describe('webhooks', () => {
    async function register(port: number): Promise<{ id: string; secret: string }> {
      const { body } = await tests.api.call('POST', '/api/v1/event-webhooks/endpoints', {
        body: { url: `http://127.0.0.1:${port}/events`, description: 'cli', event_types: [] },
      });
      tests.secrets.push(String(body.secret));
      return { id: String(body.id), secret: String(body.secret) };
    }

    it('are received, verified, printed and forwarded byte for byte', async () => {
      const receiver = await startHttpReceiver();
      const port = await findFreePort();
      const endpoint = await register(port);
      const env = { STEWARD_WEBHOOK_SECRET: endpoint.secret };
      const listener = tests.cli.start(
        ['webhooks', 'listen', '--port', String(port), '--forward-to', `${receiver.url}/app?x=1`],
        { env },
      );
      await eventually(() => listener.printed().includes('listening on'));
      await tests.api.call('POST', `/api/v1/event-webhooks/endpoints/${endpoint.id}/test`);
      const [forwarded] = await receiver.waitForRequests(1);
      await eventually(() =>
        /webhook\.test .*attempt 1 .*signature valid .*responded with 200, forwarded/.test(listener.printed()),
      );

      tests.file('captured.json', forwarded?.body ?? Buffer.alloc(0));
      const signature = String(forwarded?.headers['x-service-signature']);
      expect(forwarded?.path).toBe('/app?x=1');
      const verify = (...more: string[]) =>
        tests.cli.run(['webhooks', 'verify', '--body', 'captured.json', '--signature', signature, ...more], {
          env,
          ...tests.inWork(),
        });
      expect((await verify()).code).toBe(0);
      tests.file('captured.json', `${String(forwarded?.body)} `);
      expect([(await verify()).code, (await verify()).stdout]).toEqual([
        1,
        expect.stringContaining('Either the secret does not'),
      ]);
      expect((await verify('--secret', '')).code).toBe(2);

      listener.child.kill('SIGINT');
      expect((await listener.ended).code).toBe(0);
      await receiver.close();
      await tests.api.call('DELETE', `/api/v1/event-webhooks/endpoints/${endpoint.id}`);
    });

    it('are refused with 401 and not forwarded if they cannot be verified', async () => {
      const receiver = await startHttpReceiver();
      const env = { STEWARD_WEBHOOK_SECRET: 'whsec_another-secret-than-the-sender' };
      const listener = tests.cli.start(['webhooks', 'listen', '--port', '0', '--json', '--forward-to', receiver.url], {
        env,
      });
      const port = await eventually(() => /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(listener.printed())?.[1]);
      const endpoint = await register(Number(port));
      await tests.api.call('POST', `/api/v1/event-webhooks/endpoints/${endpoint.id}/test`);
      const line = await eventually(() => /^\{.*\}$/m.exec(listener.printed())?.[0]);
      expect(JSON.parse(line)).toMatchObject({ event_type: 'webhook.test', signature: 'invalid', answered: 401 });
      expect(receiver.requests).toEqual([]);
      listener.child.kill('SIGTERM');
      await listener.ended;
      await receiver.close();
      await tests.api.call('DELETE', `/api/v1/event-webhooks/endpoints/${endpoint.id}`);
    });

    it('cannot be received on a port in use: exit code 2, naming the flag', async () => {
      const receiver = await startHttpReceiver();
      const done = await tests.cli.run(['webhooks', 'listen', '--port', String(receiver.port)]);
      await receiver.close();
      expect([done.code, done.stderr]).toEqual([2, expect.stringContaining('--port')]);
    });
  });

  it('never prints a credential', () => {
    for (const secret of tests.secrets) expect(tests.cli.everything()).not.toContain(secret);
    expect(tests.cli.everything()).not.toMatch(/hunter2|(?:flw|whsec|stw)_[\w-]{16}/);
  });
});
