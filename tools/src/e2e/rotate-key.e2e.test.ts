import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { deriveKey, KEY_PURPOSES } from '@steward/crypto';
import { bareEnvironment, eventually, releaseAfterAll, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { readEnd } from './read-end.ts';
import { registerOwner } from './register-owner.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

const NEW_KEY = 'the-next-secret-key-for-tests-9876543210';
const UNUSED_KEY = 'an-unused-secret-key-for-tests-5555555555';

describe('a running suite whose SECRET_KEY is changed', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
    release(() => receiver.close());
    // There is a previous key from the start, so that each app has the file to which the rotation writes.
    suite = await startSuite({ SECRET_KEY_PREVIOUS: UNUSED_KEY });
    release(suite.stop);
  }, START_TIMEOUT_MS);

  const rotate = (previous: string) => {
    const main = resolve(WORKSPACE_ROOT, 'tools/src/migrate/main.ts');
    const env = {
      ...bareEnvironment(),
      DATABASE_URL: suite.database.url,
      SECRET_KEY: NEW_KEY,
      SECRET_KEY_PREVIOUS: previous,
    };
    const ended = spawnSync(process.execPath, [main, 'rotate-key'], { env, encoding: 'utf8' });
    return { code: ended.status, text: `${ended.stdout}${ended.stderr}` };
  };

  it('retains logins, webhook secrets and secrets of agents, and reports when the previous key can be removed', async () => {
    const former = suite.secrets.SECRET_KEY ?? '';
    const { api, refreshToken } = await registerOwner(suite.api, 'rotating');
    await api.call('POST', '/api/v1/event-webhooks/endpoints', {
      body: { url: receiver.url, description: '', event_types: ['flow.execution.finished'] },
    });
    await api.call('PUT', '/api/v1/flow-secrets/NAMED', { body: { value: 'canary-named' } });
    const { body: flow } = await api.call('POST', '/api/v1/flows', {
      body: {
        name: 'f',
        prompt_template: 'x',
        agent_type: 'command',
        agent_config: { command: '[ "$A" = "<canary-named>" ]', env: { A: '<{{secret.NAMED}}>' } },
      },
    });
    const run = async () => {
      const { body } = await api.call('POST', `/api/v1/flows/${String(flow.id)}/trigger`, { body: {} });
      const id = String(body.execution_id);
      const ended = await readEnd(api, id);
      expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
      await eventually(() => receiver.requests.some((request) => request.body.includes(id)));
    };
    await run();

    // The gateway gets the new key together with the previous one, as a deployment passes both to its apps.
    await suite.restartWith('api-gateway', { SECRET_KEY: NEW_KEY, SECRET_KEY_PREVIOUS: former });
    for (const [app, variable, purpose] of [
      ['webhook-dispatcher', 'ENDPOINT_SECRET_KEY', KEY_PURPOSES.endpoint],
      ['flow-trigger', 'FLOW_SECRET_KEY', KEY_PURPOSES.flowAgent],
      ['search-indexer', 'EMBEDDING_SECRET_KEY', KEY_PURPOSES.embedding],
    ] as const) {
      const keys = { [variable]: deriveKey(NEW_KEY, purpose), [`${variable}_PREVIOUS`]: deriveKey(former, purpose) };
      await suite.restartWith(app, keys);
    }
    await run();
    const moved = rotate(former);
    expect([moved.code, moved.text]).toEqual([0, expect.stringContaining('SECRET_KEY_PREVIOUS may be dropped')]);
    for (const secret of [former, NEW_KEY, 'canary']) expect(moved.text).not.toContain(secret);
    await run();
    const again = rotate('');
    expect([again.code, again.text]).toEqual([0, expect.stringContaining('Everything is encrypted with SECRET_KEY.')]);

    // The previous key is removed before its last access token has expired; clients whose login was issued with it
    // refresh their token.
    await suite.restartWith('api-gateway', { SECRET_KEY: NEW_KEY, SECRET_KEY_PREVIOUS: UNUSED_KEY });
    expect((await api.call('GET', '/api/v1/users/me')).status).toBe(401);
    const body = { refresh_token: refreshToken };
    const refreshed = await suite.api.call('POST', '/api/v1/auth/refresh', { body });
    expect(refreshed.status).toBe(200);
    const kept = suite.api.withToken(String(refreshed.body.access_token));
    expect((await kept.call('GET', '/api/v1/users/me')).status).toBe(200);
  });
});
