import { newId } from '@steward/runtime';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('flows and their triggers', () => {
  let gateway: TestGateway;
  let token: string;
  let viewer: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ FLOW_TRIGGER_RATE_PER_MINUTE: '1000' });
    token = (await gateway.registerAccount()).accessToken;
    const login = { username: 'the-viewer', password: 'a long enough password' };
    await gateway.call('POST', '/api/v1/users', {
      token,
      body: { ...login, email: 'viewer@example.test', role: 'viewer' },
    });
    viewer = (await gateway.call('POST', '/api/v1/auth/token/json', { body: login })).body.access_token;
  });
  afterAll(() => gateway.close());

  const create = async (more: Record<string, unknown> = {}) => {
    const body = {
      name: `flow ${newId()}`,
      prompt_template: 'x',
      agent_type: 'command',
      agent_config: { command: 'true' },
      ...more,
    };
    return gateway.call('POST', '/api/v1/flows', { token, body });
  };
  const createHook = async (more: Record<string, unknown> = {}) => {
    const { body } = await create({ trigger: 'webhook', ...more });
    return {
      id: body.id as string,
      secret: body.webhook_config.webhook_secret as string,
      url: `/webhooks/flows/${body.id}/${body.webhook_config.webhook_secret}`,
    };
  };
  const countExecutions = async (flowId: string): Promise<number> =>
    (await gateway.call('GET', `/api/v1/flows/executions?flow_id=${flowId}`, { token })).body.items.length;

  it('are created with defaults, listed, read, changed and deleted', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      is_enabled: true,
      trigger: 'manual',
      timeout_seconds: 3600,
      allowed_tools: [],
      setup_commands: [],
      evidence: null,
      git_clone_config: null,
    });
    expect((await gateway.call('GET', `/api/v1/flows/${body.id}`, { token })).body).toEqual(body);
    expect((await gateway.call('GET', '/api/v1/flows?limit=1', { token })).body.items[0].id).toBe(body.id);
    const changed = await gateway.call('PATCH', `/api/v1/flows/${body.id}`, {
      token,
      body: { description: 'new', is_enabled: false },
    });
    expect([changed.status, changed.body.description, changed.body.is_enabled]).toEqual([200, 'new', false]);
    expect((await gateway.call('DELETE', `/api/v1/flows/${body.id}`, { token })).status).toBe(204);
    expect((await gateway.call('GET', `/api/v1/flows/${body.id}`, { token })).status).toBe(404);
  });

  it('have names unique in their account', async () => {
    const name = `twin ${newId()}`;
    await create({ name });
    const twin = await create({ name });
    expect([twin.status, twin.body.detail.code, twin.body.detail.field]).toEqual([409, 'conflict', 'name']);
    const stranger = (await gateway.registerAccount()).accessToken;
    const foreign = await gateway.call('POST', '/api/v1/flows', {
      token: stranger,
      body: { name, prompt_template: '', agent_type: 'command', agent_config: { command: 'true' } },
    });
    expect(foreign.status).toBe(201);
  });

  it.each([
    ['an unknown key', { nme: 'x' }],
    ['no command', { agent_config: {} }],
    ['a reserved variable', { agent_config: { command: 'x', env: { STEWARD_X: 'y' } } }],
    ['a setting the built-in agent does not have', { agent_type: 'builtin', agent_config: { command: 'x' } }],
    ['no step for the built-in agent', { agent_type: 'builtin', agent_config: { max_steps: 0 } }],
    ['a timeout too short', { timeout_seconds: 59 }],
    ['an unknown trigger', { trigger: 'cron' }],
    ['an option as branch', { git_clone_config: { repository_url: 'https://x.test/r', branch: '--upload-pack=x' } }],
    ['a clone path outside', { git_clone_config: { repository_url: 'https://x.test/r', clone_path: '../x' } }],
  ])('are refused with %s', async (_what, more) => {
    expect((await create(more)).status).toBe(422);
  });

  it('show the credentials in a repository’s URL to those who may change it', async () => {
    const url = 'https://robot:hunter2@git.example.test/team/repo.git';
    const { body } = await create({ git_clone_config: { repository_url: url } });
    expect(body.git_clone_config.repository_url).toBe(url);
    const seen = (await gateway.call('GET', `/api/v1/flows/${body.id}`, { token: viewer })).body;
    expect(seen.git_clone_config.repository_url).toBe('https://git.example.test/team/repo.git');
  });

  it('show the values of the agent’s variables to those who may change them, their names to others', async () => {
    const config = { command: 'true', env: { API_TOKEN: 'canary-of-the-agent' } };
    const { body } = await create({ agent_config: config });
    expect(body.agent_config).toEqual(config);
    const seen = await gateway.call('GET', `/api/v1/flows/${body.id}`, { token: viewer });
    expect(seen.body.agent_config).toEqual({ command: 'true', env: { API_TOKEN: '[hidden]' } });
    const list = await gateway.call('GET', '/api/v1/flows', { token: viewer });
    expect(JSON.stringify(list.body)).not.toContain('canary-of-the-agent');
  });

  describe('the webhook secret', () => {
    it('is made for a webhook trigger and shown to editors; others see a hint', async () => {
      const hook = await createHook();
      expect(hook.secret).toMatch(/^flw_[A-Za-z0-9_-]{43}$/);
      const seen = (await gateway.call('GET', `/api/v1/flows/${hook.id}`, { token: viewer })).body.webhook_config;
      expect(seen).toEqual({ webhook_secret_hint: hook.secret.slice(-4) });
    });

    it('is made when a flow is switched to a webhook trigger', async () => {
      const { body } = await create();
      const switched = await gateway.call('PATCH', `/api/v1/flows/${body.id}`, { token, body: { trigger: 'webhook' } });
      expect(switched.body.webhook_config.webhook_secret).toMatch(/^flw_/);
    });

    it('survives an update without it, and one that sends another', async () => {
      const hook = await createHook();
      for (const config of [{ supersede_on_update: true }, { webhook_secret: 'mine' }, { webhook_secret: null }]) {
        const { body } = await gateway.call('PATCH', `/api/v1/flows/${hook.id}`, {
          token,
          body: { webhook_config: config },
        });
        expect(body.webhook_config.webhook_secret).toBe(hook.secret);
      }
    });

    it('is replaced by a rotation: the old URL is gone', async () => {
      const hook = await createHook();
      const rotated = await gateway.call('POST', `/api/v1/flows/${hook.id}/webhook-secret/rotate`, { token });
      expect(rotated.body.webhook_secret).not.toBe(hook.secret);
      expect((await gateway.call('POST', hook.url, { body: {} })).status).toBe(404);
      expect(
        (await gateway.call('POST', `/webhooks/flows/${hook.id}/${rotated.body.webhook_secret}`, { body: {} })).status,
      ).toBe(202);
    });
  });

  describe('the inbound webhook', () => {
    it('answers 202 with where to look, with and without the prefix', async () => {
      const hook = await createHook();
      for (const path of [hook.url, `/api/v1${hook.url}`]) {
        const { status, body } = await gateway.call('POST', path, { body: { a: 1 } });
        expect(status).toBe(202);
        expect(body).toEqual({
          status: 'accepted',
          flow_id: hook.id,
          execution_id: expect.any(String),
          execution_status: 'PENDING',
          deduplicated: false,
          status_url: `/api/v1/flows/executions/${body.execution_id}`,
        });
      }
    });

    it('gives one identical 404 for an unknown flow, a wrong secret and a flow without a webhook trigger', async () => {
      const hook = await createHook();
      const { body: manual } = await create();
      const paths = [
        `/webhooks/flows/${newId()}/${hook.secret}`,
        `/webhooks/flows/${hook.id}/flw_wrong`,
        `/webhooks/flows/${manual.id}/${hook.secret}`,
        `/webhooks/flows/not-an-id/${hook.secret}`,
      ];
      const answers = await Promise.all(
        paths.map((path) =>
          gateway.call('POST', path, { body: '{not json', headers: { 'content-type': 'text/plain' } }),
        ),
      );
      for (const answer of answers) expect([answer.status, answer.body.detail]).toEqual([404, answers[0]?.body.detail]);
    });

    it.each([
      ['another media type', 415, { body: '{}', headers: { 'content-type': 'text/plain' } }],
      ['broken JSON', 400, { body: '{', headers: { 'content-type': 'application/json' } }],
      ['nothing', 400, { body: '', headers: { 'content-type': 'application/json' } }],
      ['an array', 422, { body: '[1]', headers: { 'content-type': 'application/json' } }],
      ['a text', 422, { body: '"x"', headers: { 'content-type': 'application/json' } }],
      ['more than 4 MiB', 413, { body: { a: 'x'.repeat(4 * 1024 * 1024) } }],
    ])('refuses %s with %i', async (_what, status, request) => {
      const hook = await createHook();
      expect((await gateway.call('POST', hook.url, request)).status).toBe(status);
      expect(await countExecutions(hook.id)).toBe(0);
    });

    it('looks at the declared size before the secret, and at the secret before the body', async () => {
      const wrong = `/webhooks/flows/${newId()}/flw_wrong`;
      const post = async (bytes: number) => {
        const answer = await gateway.call('POST', wrong, { body: { a: 'x'.repeat(bytes) } });
        return [answer.status, answer.body.detail.limit];
      };
      expect(await post(5 * 1024 * 1024)).toEqual([413, 4 * 1024 * 1024]);
      expect(await post(3 * 1024 * 1024)).toEqual([404, undefined]);
      // The connection serves further requests after a body nobody read.
      expect(await post(1)).toEqual([404, undefined]);
    });

    it('refuses a disabled flow once the secret matched', async () => {
      const hook = await createHook({ is_enabled: false });
      expect((await gateway.call('POST', hook.url, { body: {} })).body.detail.code).toBe('flow_disabled');
    });

    it.each([
      ['a path outside', 400, 'invalid_workspace_files', [{ path: '../x', content_base64: '' }]],
      ['rubbish for base64', 400, 'invalid_workspace_files', [{ path: 'x', content_base64: '?' }]],
      ['a file too large', 413, 'workspace_files_too_large', [{ path: 'x', content_base64: 'A'.repeat(98_308) }]],
      [
        '51 files',
        413,
        'workspace_files_too_large',
        Array.from({ length: 51 }, (_, index) => ({ path: `f${index}`, content_base64: '' })),
      ],
    ])('refuses %s with %i and makes no execution', async (_what, status, code, files) => {
      const hook = await createHook();
      const answer = await gateway.call('POST', hook.url, { body: { workspace_files: files } });
      expect([answer.status, answer.body.detail.code]).toEqual([status, code]);
      if (status === 413)
        expect(answer.body.detail).toMatchObject({
          limit: expect.any(Number),
          actual: expect.any(Number),
          overage: expect.any(Number),
        });
      expect(await countExecutions(hook.id)).toBe(0);
    });

    it('makes one execution of two hundred posts at once with one key', async () => {
      const hook = await createHook();
      const answers = await Promise.all(
        Array.from({ length: 200 }, () =>
          gateway.call('POST', hook.url, { body: { n: 1 }, headers: { 'idempotency-key': 'build-7' } }),
        ),
      );
      expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.execution_id}`)).size).toBe(1);
      expect(answers.filter((answer) => answer.body.deduplicated === false)).toHaveLength(1);
      expect(await countExecutions(hook.id)).toBe(1);
      const reused = await gateway.call('POST', hook.url, {
        body: { n: 2 },
        headers: { 'idempotency-key': 'build-7' },
      });
      expect([reused.status, reused.body.detail.code]).toEqual([409, 'idempotency_key_reused']);
      // The key is looked at before the body: other bytes are refused as such, whatever they are.
      const broken = await gateway.call('POST', hook.url, {
        body: '{',
        headers: { 'idempotency-key': 'build-7', 'content-type': 'text/plain' },
      });
      expect(broken.body.detail.code).toBe('idempotency_key_reused');
    });

    it('answers the active execution of the same dedupe value, or supersedes it', async () => {
      const payload = { pull_request: { number: 5 }, sha: 'a' };
      const keep = await createHook({ webhook_config: { dedupe_path: 'pull_request.number' } });
      const first = await gateway.call('POST', keep.url, { body: payload });
      const second = await gateway.call('POST', keep.url, { body: { ...payload, sha: 'b' } });
      expect([second.body.deduplicated, second.body.execution_id]).toEqual([true, first.body.execution_id]);
      const replace = await createHook({
        webhook_config: { dedupe_path: 'pull_request.number', supersede_on_update: true },
      });
      const old = await gateway.call('POST', replace.url, { body: payload });
      const newer = await gateway.call('POST', replace.url, { body: payload });
      expect(newer.body.deduplicated).toBe(false);
      const superseded = await gateway.call('GET', `/api/v1/flows/executions/${old.body.execution_id}`, { token });
      expect([superseded.body.status, superseded.body.failure_category]).toEqual(['STOPPED', 'cancelled']);
    });

    it('keeps the payload for audit with file contents redacted and the paths listed', async () => {
      const hook = await createHook();
      const document = { content_base64: base64('not a workspace file') };
      const body = { a: 1, document, workspace_files: [{ path: './docs/a.txt', content_base64: base64('hello') }] };
      const { body: accepted } = await gateway.call('POST', hook.url, { body });
      const { trigger_event_details: details } = (
        await gateway.call('GET', `/api/v1/flows/executions/${accepted.execution_id}`, { token })
      ).body;
      const files = { _workspace_file_paths: ['docs/a.txt'] };
      // A template may name whatever is no workspace file; those are given back to it from their rows.
      expect(details).toMatchObject({ source: 'webhook', payload: { a: 1, document }, ...files });
      expect(JSON.stringify(details)).not.toContain(base64('hello'));
    });

    it('leaves its secret in no row that people or programs read', async () => {
      const hook = await createHook();
      await gateway.call('POST', hook.url, { body: { a: 1 } });
      const audit = await gateway.call('GET', '/api/v1/audit-log?limit=200', { token });
      const executions = await gateway.call('GET', '/api/v1/flows/executions?limit=200', { token });
      expect(JSON.stringify([audit.body, executions.body])).not.toContain(hook.secret);
      expect(
        audit.body.items.some(
          (entry: { action: string; source: string }) => entry.action === 'trigger' && entry.source === 'webhook',
        ),
      ).toBe(true);
    });
  });

  describe('the manual trigger', () => {
    it('takes the body as payload and unwraps a lone payload object, with and without the prefix', async () => {
      const { body: flow } = await create();
      const plain = await gateway.call('POST', `/api/v1/flows/${flow.id}/trigger`, {
        token,
        body: { payload: { a: 1 } },
      });
      const other = await gateway.call('POST', `/flows/${flow.id}/trigger`, {
        token,
        body: { payload: { a: 1 }, b: 2 },
      });
      const payloadOf = async (answer: { body: { execution_id: string } }) =>
        (await gateway.call('GET', `/api/v1/flows/executions/${answer.body.execution_id}`, { token })).body
          .trigger_event_details.payload;
      expect([plain.status, await payloadOf(plain)]).toEqual([202, { a: 1 }]);
      expect(await payloadOf(other)).toEqual({ payload: { a: 1 }, b: 2 });
    });

    it('refuses files declared both inside and beside the payload', async () => {
      const { body: flow } = await create();
      const answer = await gateway.call('POST', `/api/v1/flows/${flow.id}/trigger`, {
        token,
        body: { payload: { workspace_files: [] }, workspace_files: [] },
      });
      expect([answer.status, answer.body.detail.code]).toEqual([400, 'invalid_workspace_files']);
    });

    it('needs execute_flows', async () => {
      const { body: flow } = await create();
      const refused = await gateway.call('POST', `/api/v1/flows/${flow.id}/trigger`, { token: viewer, body: {} });
      expect([refused.status, refused.body.detail.permission]).toEqual([403, 'execute_flows']);
    });
  });

  describe('executions', () => {
    it('are stopped, retried from STOPPED only, and keep a flow from being deleted while active', async () => {
      const hook = await createHook();
      const { body } = await gateway.call('POST', hook.url, {
        body: { a: 1, workspace_files: [{ path: 'a', content_base64: base64('x') }] },
      });
      const path = `/api/v1/flows/executions/${body.execution_id}`;
      expect((await gateway.call('POST', `${path}/retry`, { token })).status).toBe(409);
      expect((await gateway.call('DELETE', `/api/v1/flows/${hook.id}`, { token })).body.detail.code).toBe(
        'execution_active',
      );
      const stopped = await gateway.call('POST', `${path}/stop`, { token });
      expect([stopped.status, stopped.body.status]).toEqual([202, 'STOPPED']);
      expect((await gateway.call('POST', `${path}/stop`, { token })).status).toBe(202);
      const retried = await gateway.call('POST', `${path}/retry`, { token });
      expect([retried.status, retried.body.execution_id === body.execution_id]).toEqual([202, false]);
      const again = await gateway.call('GET', `/api/v1/flows/executions/${retried.body.execution_id}`, { token });
      expect(again.body.trigger_event_details._workspace_file_paths).toEqual(['a']);
    });

    it('answer a wait early when they end, and at its end when they do not', async () => {
      const hook = await createHook();
      const { body } = await gateway.call('POST', hook.url, { body: {} });
      const path = `/api/v1/flows/executions/${body.execution_id}`;
      expect((await gateway.call('GET', `${path}?wait=1`, { token })).body.status).toBe('PENDING');
      const waiting = gateway.call('GET', `${path}?wait=30`, { token });
      await gateway.call('POST', `${path}/stop`, { token });
      expect((await waiting).body.status).toBe('STOPPED');
      expect((await gateway.call('GET', `${path}?wait=61`, { token })).status).toBe(422);
    });

    it('of another account do not exist', async () => {
      const hook = await createHook();
      const { body } = await gateway.call('POST', hook.url, { body: {} });
      const stranger = (await gateway.registerAccount()).accessToken;
      for (const [method, suffix] of [
        ['GET', ''],
        ['GET', '/logs'],
        ['POST', '/stop'],
        ['POST', '/retry'],
      ] as const) {
        expect(
          (await gateway.call(method, `/api/v1/flows/executions/${body.execution_id}${suffix}`, { token: stranger }))
            .status,
        ).toBe(404);
      }
      expect((await gateway.call('GET', `/api/v1/flows/${hook.id}`, { token: stranger })).status).toBe(404);
    });

    it('stream their logs until they end', async () => {
      const hook = await createHook();
      const { body } = await gateway.call('POST', hook.url, { body: {} });
      const path = `/api/v1/flows/executions/${body.execution_id}`;
      const stream = fetch(`${gateway.url}${path}/logs?follow=1`, { headers: { authorization: `Bearer ${token}` } });
      await gateway.call('POST', `${path}/stop`, { token });
      const response = await stream;
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      expect(await response.text()).toMatch(/event: end\ndata: \{"status":"STOPPED"/);
    });
  });
});
