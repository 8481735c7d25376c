import { newId } from '@steward/crypto';
import { useFlows } from '../../../testing/flow-tests.ts';

const { create, createHook, gateway, token, viewer } = useFlows();

describe('flows', () => {
  it('are created with defaults, listed, read, changed and deleted (FLOW-2)', async () => {
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
    expect((await gateway().call('GET', `/api/v1/flows/${body.id}`, { token: token() })).body).toEqual(body);
    expect((await gateway().call('GET', '/api/v1/flows?limit=1', { token: token() })).body.items[0].id).toBe(body.id);
    const changed = await gateway().call('PATCH', `/api/v1/flows/${body.id}`, {
      token: token(),
      body: { description: 'new', is_enabled: false },
    });
    expect([changed.status, changed.body.description, changed.body.is_enabled]).toEqual([200, 'new', false]);
    expect((await gateway().call('DELETE', `/api/v1/flows/${body.id}`, { token: token() })).status).toBe(204);
    expect((await gateway().call('GET', `/api/v1/flows/${body.id}`, { token: token() })).status).toBe(404);
  });

  it('are found by part of their name, ignoring case, and so are their executions (FLOW-47, EXEC-25)', async () => {
    const [nightly, weekly] = [await create({ name: 'Nightly Build 100%' }), await create({ name: 'Weekly Build' })];
    const list = async (query: string) =>
      (await gateway().call('GET', `/api/v1/flows${query}`, { token: token() })).body.items as { id: string }[];
    expect(await list('?query=BUILD%20100%25')).toMatchObject([{ id: nightly.body.id }]);
    expect(await list('?query=build&limit=1')).toMatchObject([{ id: weekly.body.id }]);
    expect(await list('?query=b_ild')).toEqual([]);
    const run = await gateway().call('POST', `/api/v1/flows/${weekly.body.id}/trigger`, { token: token(), body: {} });
    const id = run.body.execution_id as string;
    expect(await list('/executions?query=weekly')).toMatchObject([{ id }]);
    expect(await list('/executions?query=nightly')).toEqual([]);
    expect(await list('/executions?since=2026-01-01T00:00:00Z')).toMatchObject([{ id }]);
    expect(await list('/executions?until=2026-01-01T00:00:00Z')).toEqual([]);
  });

  it('have unique names in their account (FLOW-1)', async () => {
    const name = `twin ${newId()}`;
    await create({ name });
    const twin = await create({ name });
    expect([twin.status, twin.body.detail.code, twin.body.detail.field]).toEqual([409, 'conflict', 'name']);
    const stranger = (await gateway().registerAccount()).accessToken;
    const foreign = await gateway().call('POST', '/api/v1/flows', {
      token: stranger,
      body: { name, prompt_template: '', agent_type: 'command', agent_config: { command: 'true' } },
    });
    expect(foreign.status).toBe(201);
  });

  it.each([
    ['an unknown field', { nme: 'x' }],
    ['no command', { agent_config: {} }],
    ['a reserved variable', { agent_config: { command: 'x', env: { STEWARD_X: 'y' } } }],
    ['a setting that the built-in agent does not have', { agent_type: 'builtin', agent_config: { command: 'x' } }],
    ['zero steps for the built-in agent', { agent_type: 'builtin', agent_config: { max_steps: 0 } }],
    ['a timeout that is too short', { timeout_seconds: 59 }],
    ['an unknown trigger', { trigger: 'cron' }],
    [
      'a branch that is an option',
      { git_clone_config: { repository_url: 'https://x.test/r', branch: '--upload-pack=x' } },
    ],
    [
      'a clone path outside the workspace',
      { git_clone_config: { repository_url: 'https://x.test/r', clone_path: '../x' } },
    ],
    ['the clone path .git', { git_clone_config: { repository_url: 'https://x.test/r', clone_path: '.git' } }],
    ['a clone path in .GIT', { git_clone_config: { repository_url: 'https://x.test/r', clone_path: 'a/./.GIT/x' } }],
    [
      'a clone path that leads outside after a line separator',
      { git_clone_config: { repository_url: 'https://x.test/r', clone_path: 'a\u2028/../../x' } },
    ],
  ])('are refused with %s', async (_what, more) => {
    expect((await create(more)).status).toBe(422);
  });

  it.each([
    '.git',
    './.git',
    '.GIT/config',
    'a/../.git',
    'repo/.git/',
    'a\u2028/.git',
    'git~1',
    '.git. ',
    '\u001b[2J',
    '../x',
    '/etc',
  ])('cannot have %j as an evidence path (FLOW-50)', async (path) => {
    expect((await create({ evidence: { enabled: true, paths: ['reports', path] } })).status).toBe(422);
  });

  describe('the webhook secret', () => {
    it('is created for a webhook trigger and shown to editors; others see a hint (FLOW-11, FLOW-12)', async () => {
      const hook = await createHook();
      expect(hook.secret).toMatch(/^flw_[A-Za-z0-9_-]{43}$/);
      const seen = (await gateway().call('GET', `/api/v1/flows/${hook.id}`, { token: viewer() })).body.webhook_config;
      expect(seen).toEqual({ webhook_secret_hint: hook.secret.slice(-4) });
    });

    it('is created when the trigger of a flow is changed to a webhook', async () => {
      const { body } = await create();
      const switched = await gateway().call('PATCH', `/api/v1/flows/${body.id}`, {
        token: token(),
        body: { trigger: 'webhook' },
      });
      expect(switched.body.webhook_config.webhook_secret).toMatch(/^flw_/);
    });

    it('is retained by an update that omits it or sends another one (FLOW-11)', async () => {
      const hook = await createHook();
      for (const config of [{ supersede_on_update: true }, { webhook_secret: 'mine' }, { webhook_secret: null }]) {
        const { body } = await gateway().call('PATCH', `/api/v1/flows/${hook.id}`, {
          token: token(),
          body: { webhook_config: config },
        });
        expect(body.webhook_config.webhook_secret).toBe(hook.secret);
      }
    });

    it('is replaced by a rotation: the old URL stops working (FLOW-13)', async () => {
      const hook = await createHook();
      const rotated = await gateway().call('POST', `/api/v1/flows/${hook.id}/webhook-secret/rotate`, {
        token: token(),
      });
      expect(rotated.body.webhook_secret).not.toBe(hook.secret);
      expect((await gateway().call('POST', hook.url, { body: {} })).status).toBe(404);
      expect(
        (await gateway().call('POST', `/webhooks/flows/${hook.id}/${rotated.body.webhook_secret}`, { body: {} }))
          .status,
      ).toBe(202);
    });
  });
});
