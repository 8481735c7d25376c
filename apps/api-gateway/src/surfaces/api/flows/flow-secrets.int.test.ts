import pg from 'pg';
import { createSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { createLogger } from '@steward/process';
import { sealStoredSecrets } from '@steward/flows';
import { useFlows } from '../../../testing/flow-tests.ts';
import { findInDatabase } from '../../../testing/find-in-database.ts';

const { create, gateway, token, viewer } = useFlows();
const HIDDEN = '[hidden]';
const URL_IN_CLEAR = 'https://robot:canary-of-the-url@git.example.test/team/repo.git';
const URL_SHOWN = 'https://git.example.test/team/repo.git';

const read = async (id: string, bearer = token()) =>
  (await gateway().call('GET', `/api/v1/flows/${id}`, { token: bearer })).body;
const patch = (id: string, body: object) => gateway().call('PATCH', `/api/v1/flows/${id}`, { token: token(), body });

describe('the secrets of a flow', () => {
  it('are never returned, neither on creation nor to users who may edit it (FLOW-6)', async () => {
    const { status, body } = await create({
      agent_config: { command: 'true', env: { API_TOKEN: 'canary-of-the-agent' } },
      git_clone_config: { repository_url: URL_IN_CLEAR, depth: 1 },
    });
    expect(status).toBe(201);
    expect(body.agent_config).toEqual({ command: 'true', env: { API_TOKEN: HIDDEN } });
    expect(body.git_clone_config).toEqual({ repository_url: URL_SHOWN, depth: 1, credentials: HIDDEN });
    for (const bearer of [token(), viewer()]) {
      const list = await gateway().call('GET', '/api/v1/flows', { token: bearer });
      expect(JSON.stringify([await read(body.id, bearer), list.body])).not.toContain('canary');
    }
  });

  it('remain unchanged if a client sends back the values that it read, or omits them (FLOW-7)', async () => {
    const { body } = await create({
      agent_config: { command: 'true', env: { A: 'canary-a' } },
      git_clone_config: { repository_url: URL_IN_CLEAR },
    });
    const { agent_config: config, git_clone_config: clone } = body;
    for (const change of [
      { agent_config: config, git_clone_config: clone },
      { agent_config: { command: 'false' }, git_clone_config: { repository_url: URL_SHOWN } },
      { description: 'other' },
    ]) {
      expect((await patch(body.id, change)).status).toBe(200);
      const seen = await read(body.id);
      expect([seen.agent_config.env, seen.git_clone_config]).toEqual([{ A: HIDDEN }, clone]);
    }
    const removed = await patch(body.id, {
      agent_config: { command: 'true', env: { A: null } },
      git_clone_config: { ...clone, credentials: null },
    });
    expect([removed.body.agent_config, removed.body.git_clone_config]).toEqual([
      { command: 'true' },
      { repository_url: URL_SHOWN },
    ]);
  });

  it.each([
    [{ agent_config: { command: 'x', env: { NEW: HIDDEN } } }, 'agent_config.env.NEW'],
    [{ git_clone_config: { repository_url: URL_SHOWN, credentials: HIDDEN } }, 'git_clone_config.credentials'],
  ])('cannot be retained if none are stored: %j (FLOW-7)', async (change, field) => {
    const { body } = await create();
    const refused = await patch(body.id, change);
    expect([refused.status, refused.body.detail.field]).toEqual([422, field]);
    expect((await create(change)).body.detail.field).toBe(field);
  });

  it('in commands are shown to users who may edit the flow; others see only the structure (FLOW-9)', async () => {
    const { body } = await create({
      agent_config: { command: 'canary --run' },
      setup_commands: ['canary', 'canary 2'],
    });
    expect([body.agent_config.command, body.setup_commands]).toEqual(['canary --run', ['canary', 'canary 2']]);
    const seen = await read(body.id, viewer());
    expect([seen.agent_config, seen.setup_commands]).toEqual([{ command: HIDDEN }, [HIDDEN, HIDDEN]]);
  });
});

describe('named secrets', () => {
  const call = (method: string, name: string, options: { token?: string; value?: string } = {}) =>
    gateway().call(method, `/api/v1/flow-secrets${name === '' ? '' : `/${name}`}`, {
      token: options.token ?? token(),
      ...(options.value === undefined ? {} : { body: { value: options.value } }),
    });

  it('are set, listed without their value, replaced and deleted (FLOW-10)', async () => {
    const created = await call('PUT', 'GIT_TOKEN', { value: 'canary-of-the-account' });
    expect([created.status, Object.keys(created.body).sort()]).toEqual([201, ['created_at', 'name', 'updated_at']]);
    expect((await call('PUT', 'GIT_TOKEN', { value: 'canary-the-second' })).status).toBe(200);
    const list = await call('GET', '');
    expect([list.status, list.body.items.map(({ name }: { name: string }) => name)]).toEqual([200, ['GIT_TOKEN']]);
    expect((await call('GET', 'GIT_TOKEN')).body.name).toBe('GIT_TOKEN');
    expect((await call('DELETE', 'GIT_TOKEN')).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await call(method, 'GIT_TOKEN')).status).toBe(404);
  });

  it('are not found under a name that cannot be stored in the database', async () => {
    for (const method of ['GET', 'DELETE']) expect((await call(method, 'a%00b')).status).toBe(404);
  });

  it('belong to one account, and require edit_flows', async () => {
    await call('PUT', 'MINE', { value: 'canary-mine' });
    const stranger = (await gateway().registerAccount()).accessToken;
    expect((await call('GET', 'MINE', { token: stranger })).status).toBe(404);
    expect((await call('GET', '', { token: stranger })).body.items).toEqual([]);
    for (const [method, value] of [['GET'], ['PUT', 'canary-other'], ['DELETE']] as const) {
      expect((await call(method, 'MINE', { token: viewer(), ...(value === undefined ? {} : { value }) })).status).toBe(
        403,
      );
    }
  });

  it.each([
    ['a name that is not a valid variable name', '1X', 'canary-value'],
    ['a name with a hyphen', 'A-B', 'canary-value'],
    ['a value that is too short to be masked', 'SHORT', 'abc'],
  ])('are refused with %s (FLOW-10)', async (_what, name, value) => {
    expect((await call('PUT', name, { value })).status).toBe(422);
  });

  it('are limited in number (LIM-7)', async () => {
    const { accessToken } = await gateway().registerAccount();
    const names = Array.from({ length: 200 }, (_, index) => `S${index}`);
    for (const name of names) await call('PUT', name, { token: accessToken, value: 'canary-many' });
    const refused = await call('PUT', 'ONE_MORE', { token: accessToken, value: 'canary-many' });
    expect([refused.status, refused.body.detail.code, refused.body.detail.limit]).toEqual([409, 'quota_reached', 200]);
    expect((await call('PUT', 'S7', { token: accessToken, value: 'canary-again' })).status).toBe(200);
  });
});

describe('a copy of the database', () => {
  it('contains no secret in any column, and the audit log records who set one (API-17)', async () => {
    const canary = (where: string): string => `canary-${where}-5c1f`;
    await create({
      trigger: 'webhook',
      agent_config: { command: 'true', env: { A: canary('env') } },
      git_clone_config: { repository_url: `https://robot:${canary('url')}@git.example.test/r.git` },
    });
    const put = { token: token(), body: { value: canary('named') } };
    await gateway().call('PUT', '/api/v1/flow-secrets/DUMPED', put);
    const hook = await create({ trigger: 'webhook' });
    const endpoint = await gateway().call('POST', '/api/v1/event-webhooks/endpoints', {
      token: token(),
      body: { url: 'https://receiver.example.test/', description: 'canary-that-is-no-secret-5c1f', event_types: [] },
    });
    const secrets = {
      env: canary('env'),
      url: canary('url'),
      named: canary('named'),
      webhook: String(hook.body.webhook_config.webhook_secret),
      endpoint: String(endpoint.body.secret).slice('whsec_'.length),
    };
    for (const [what, secret] of Object.entries(secrets)) {
      expect([what, await findInDatabase(gateway().database.url, secret)]).toEqual([what, []]);
    }
    // Checks that the search finds existing data, so that the empty result of the scan above is meaningful.
    expect(await findInDatabase(gateway().database.url, 'canary-that-is-no-secret-5c1f')).toContain(
      'webhooks.endpoint',
    );
    expect(await findInDatabase(gateway().database.url, 'DUMPED')).toContain('gateway.audit_log');
  });

  it('from an earlier release has its unencrypted secrets removed as soon as a gateway runs', async () => {
    const { body } = await create();
    const admin = new pg.Client({ connectionString: gateway().database.url });
    await admin.connect();
    await admin.query('update flows.flow set agent_config = $2, git_clone_config = $3 where id = $1', [
      body.id,
      JSON.stringify({ command: 'true', env: { OLD: 'canary-old-env' } }),
      JSON.stringify({ repository_url: 'https://robot:canary-old-url@git.example.test/r.git' }),
    ]);
    expect(JSON.stringify(await read(body.id))).not.toContain('canary-old');
    const logger = createLogger({ service: 'test', level: 'error', pretty: false });
    const url = gateway().database.urlForRole(APP_ROLES.apiGateway);
    const { db, close } = connectTestDatabase(url, { poolSize: 2, logger });
    const box = createSecretBox('a-secret-key-for-tests-only-0123456789', KEY_PURPOSES.flowAgent);
    const deps = { db, logger, broker: { publishHint: () => undefined } };
    // Two concurrent calls, as two gateways would make them.
    const [first, second] = await Promise.all([sealStoredSecrets(deps, box), sealStoredSecrets(deps, box)]);
    expect(first + second).toBe(1);
    expect(await sealStoredSecrets(deps, box)).toBe(0);
    await close();
    await admin.end();
    for (const secret of ['canary-old-env', 'canary-old-url']) {
      expect(await findInDatabase(gateway().database.url, secret)).toEqual([]);
    }
    expect(await read(body.id)).toMatchObject({
      agent_config: { command: 'true', env: { OLD: HIDDEN } },
      git_clone_config: { repository_url: 'https://git.example.test/r.git', credentials: HIDDEN },
    });
  });
});
