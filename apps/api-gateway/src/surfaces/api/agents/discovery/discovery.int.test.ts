import { createHmac } from 'node:crypto';
import { connectTestDatabase } from '@steward/database/testing';
import { purgeCandidates } from '@steward/agents';
import { captureOutput, eventually } from '@steward/testing';
import { useApprovals } from '../../../../testing/approval-tests.ts';
import { findInDatabase } from '../../../../testing/find-in-database.ts';
import { listenToBroker } from '../../../../testing/listen-to-broker.ts';
import { startTestGateway, type JsonResponse } from '../../../../testing/start-gateway.ts';
import { listDeclaredRoutes } from '../../../../list-declared-routes.ts';

const logged = captureOutput();
const tests = useApprovals({ ACCOUNT_RATE_PER_MINUTE: '1000000', SERVICE_EDITION: 'enterprise', LOG_LEVEL: 'debug' });
beforeEach(() => tests.listen());

const DAY_MS = 86_400_000;
const MACHINE = { user: 'dana.the.tester', host: 'danas-private-laptop', path: '/home/dana.the.tester/.claude' };

const setEnabled = (enabled: boolean, token?: string) =>
  tests.call('PUT', '/agents/discovery-setting', { enabled }, token);
const readSalt = async (token?: string): Promise<string> =>
  (await tests.call('GET', '/agents/discovery-salt', undefined, token)).body.salt as string;
const send = (body: object, token?: string): Promise<JsonResponse> =>
  tests.call('POST', '/agents/discovery-reports', body, token);
const list = async (status?: string): Promise<JsonResponse['body'][]> =>
  (await tests.call('GET', `/agents/discovery-candidates${status === undefined ? '' : `?status=${status}`}`)).body
    .items;
const readDiscoveries = async () => (await tests.readEvents()).filter(({ type }) => type === 'agent.discovered');

/** Builds the report of a workstation of the account. */
async function buildReport(token?: string, agents: readonly object[] = [{}]) {
  const salt = Buffer.from(await readSalt(token), 'hex');
  const hash = (text: string): string => createHmac('sha256', salt).update(text).digest('hex');
  return {
    workstation_fingerprint: hash(`${MACHINE.host} ${MACHINE.user}`),
    os_family: 'linux',
    agents: agents.map((agent, at) => ({
      agent_kind: 'claude_code',
      agent_version: '2.1.0-beta+7',
      config_path_hash: hash(`${MACHINE.path} ${at}`),
      mcp_server_count: 3,
      ...agent,
    })),
  };
}

async function reportOne(): Promise<JsonResponse['body']> {
  await setEnabled(true);
  await send(await buildReport());
  const [candidate] = await list();
  if (candidate === undefined) throw new Error('nothing was found');
  return candidate;
}

describe('reports of workstations', () => {
  it('are refused until the account enables them, and after it disables them (DISC-1)', async () => {
    const report = await buildReport();
    expect((await tests.call('GET', '/agents/discovery-setting')).body).toEqual({ enabled: false });
    const refuse = async () => (await send(report)).body.detail.code as string;
    expect(await refuse()).toBe('discovery_disabled');
    expect((await setEnabled(true)).body).toEqual({ enabled: true });
    expect((await send(report)).body).toEqual({ created: 1, updated: 0 });
    await setEnabled(false);
    expect(await refuse()).toBe('discovery_disabled');
    expect(await list()).toHaveLength(1);
  });

  it('sent ten times at once create one candidate and one event (DISC-3)', async () => {
    await setEnabled(true);
    const report = await buildReport(undefined, [{}, { agent_kind: 'codex', enrolled: true }, {}]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(report)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.reduce((sum, { body }) => sum + Number(body.created), 0)).toBe(3);
    expect(answers.reduce((sum, { body }) => sum + Number(body.updated), 0)).toBe(27);
    const found = await list();
    expect(found).toHaveLength(3);
    const told = (await readDiscoveries()).map(({ data }) => data);
    expect(new Set(told.map(({ candidate_id: id }) => id))).toEqual(new Set(found.map(({ id }) => id)));
    expect(told).toHaveLength(3);
    const codex = found.find(({ agent_kind: kind }) => kind === 'codex');
    expect(told.find(({ agent_kind: kind }) => kind === 'codex')).toEqual({
      candidate_id: codex?.['id'],
      agent_kind: 'codex',
      agent_version: '2.1.0-beta+7',
      workstation_fingerprint: report.workstation_fingerprint,
      config_path_hash: report.agents[1]?.config_path_hash,
      mcp_server_count: 3,
      enrolled: true,
      os_family: 'linux',
      status: 'new',
      first_seen_at: codex?.['first_seen_at'],
    });
  });

  it('are stored for up to 10,000 candidates; beyond that, only known candidates are updated (LIM-70)', async () => {
    await setEnabled(true);
    await send(await buildReport());
    await tests.people.query(
      `insert into agents.candidate (account_id, id, workstation_fingerprint, agent_kind, config_path_hash, mcp_server_count,
         enrolled, os_family, status, first_seen_at, last_seen_at)
       select $1, gen_random_uuid(), lpad(to_hex(n), 64, '0'), 'codex', repeat('0', 64), 0, false, 'linux', 'new',
         now() - interval '1 day', now() - interval '1 day' from generate_series(1, 9998) n`,
      [tests.owner().accountId],
    );
    const reports = await Promise.all(
      ['codex', 'cursor', 'gemini'].map((agent_kind) => buildReport(undefined, [{ agent_kind }])),
    );
    const answers = await Promise.all(reports.map((report) => send(report)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.detail).toMatchObject({ code: 'quota_reached', limit: 10_000 });
    expect((await send(await buildReport())).body).toEqual({ created: 0, updated: 1 });
  });

  it('that name an agent twice count it once, and for known candidates update only the time (DISC-3)', async () => {
    await setEnabled(true);
    const report = await buildReport();
    const twice = { ...report, agents: [...report.agents, ...report.agents] };
    expect((await send(twice)).body).toEqual({ created: 1, updated: 0 });
    const [before] = await list();
    const changed = report.agents.map((agent) => ({ ...agent, mcp_server_count: 9, agent_version: '3' }));
    expect((await send({ ...report, agents: changed })).body).toEqual({ created: 0, updated: 1 });
    expect(await list()).toEqual([{ ...before, last_seen_at: expect.any(String) }]);
    expect((await send({ ...report, agents: [] })).body).toEqual({ created: 0, updated: 0 });
  });

  it.each<[string, (report: Awaited<ReturnType<typeof buildReport>>) => object]>([
    ['an additional field', (report) => ({ ...report, hostname: MACHINE.host })],
    [
      'an additional field of an agent',
      (report) => ({ ...report, agents: [{ ...report.agents[0], path: MACHINE.path }] }),
    ],
    [
      'an unhashed path',
      (report) => ({ ...report, agents: [{ ...report.agents[0], config_path_hash: MACHINE.path }] }),
    ],
    ['an unhashed host name', (report) => ({ ...report, workstation_fingerprint: MACHINE.host })],
    [
      'a path as the version',
      (report) => ({ ...report, agents: [{ ...report.agents[0], agent_version: MACHINE.path }] }),
    ],
    ['a hash in upper case', (report) => ({ ...report, workstation_fingerprint: 'A'.repeat(64) })],
    ['an unknown operating system', (report) => ({ ...report, os_family: MACHINE.host })],
    ['101 agents', (report) => ({ ...report, agents: Array.from({ length: 101 }, () => report.agents[0]) })],
  ])('with %s are refused as a whole (DISC-2)', async (_what, spoil) => {
    await setEnabled(true);
    expect((await send(spoil(await buildReport()))).status).toBe(422);
    expect(await list()).toEqual([]);
  });

  it('contain different hashes of one machine for different accounts (DISC-2)', async () => {
    const other = await tests.people.register();
    expect(await readSalt()).toBe(await readSalt());
    const [mine, theirs] = [await buildReport(), await buildReport(other.accessToken)];
    expect(mine.workstation_fingerprint).not.toBe(theirs.workstation_fingerprint);
    await setEnabled(true, other.accessToken);
    await send(theirs, other.accessToken);
    expect(await list()).toEqual([]);
    expect(await readDiscoveries()).toEqual([]);
  });

  it('store nothing in the database, the events, the broker or the log that identifies the user, the machine or a path (DISC-4)', async () => {
    const gateway = tests.people.gateway();
    const broker = await listenToBroker(gateway.broker.url);
    try {
      await reportOne();
      const clear = await buildReport();
      await send({ ...clear, workstation_fingerprint: MACHINE.host });
      await send({ ...clear, user: MACHINE.user });
      await send({ ...clear, agents: [{ ...clear.agents[0], config_path_hash: MACHINE.path }] });
      expect(await readDiscoveries()).toHaveLength(1);
      await eventually(() => broker.published().includes('steward.webhooks.event-emitted'));
      for (const text of Object.values(MACHINE)) {
        expect(await findInDatabase(gateway.database.url, text)).toEqual([]);
        expect(broker.published()).not.toContain(text);
        expect(logged()).not.toContain(text);
      }
      expect(logged()).toContain('/api/v1/agents/discovery-reports');
    } finally {
      broker.close();
    }
  });
});

describe('a deployment without discovery', () => {
  it('refuses reports, and accounts cannot enable it (DISC-1)', async () => {
    const gateway = await startTestGateway({ AGENT_DISCOVERY_ENABLED: 'false' });
    try {
      const { accessToken: token } = await gateway.registerAccount();
      const ask = (method: string, path: string, body?: object) =>
        gateway.call(method, `/api/v1/agents/${path}`, { token, ...(body === undefined ? {} : { body }) });
      expect((await ask('GET', 'discovery-setting')).body).toEqual({ enabled: false });
      const report = { workstation_fingerprint: 'a'.repeat(64), os_family: 'linux', agents: [] };
      for (const refused of [
        await ask('PUT', 'discovery-setting', { enabled: true }),
        await ask('POST', 'discovery-reports', report),
      ])
        expect([refused.status, refused.body.detail.code]).toEqual([403, 'discovery_disabled']);
    } finally {
      await gateway.close();
    }
  });
});

describe('a key that can only send reports', () => {
  it('can be used only for the salt and the reports (DISC-5)', async () => {
    await setEnabled(true);
    const { body: made } = await tests.call('POST', '/auth/api-keys', { name: 'r', scopes: ['report_discovery'] });
    const token = made.key as string;
    expect((await send(await buildReport(token), token)).status).toBe(200);
    const open = ['/api/v1/agents/discovery-salt', '/api/v1/agents/discovery-reports'];
    const others = listDeclaredRoutes().filter(({ auth, path }) => auth === 'bearer' && !open.includes(path));
    expect(others.length).toBeGreaterThan(100);
    for (const { method, path } of others) {
      const sent = { token, ...(method === 'get' || method === 'delete' ? {} : { body: {} }) };
      const url = path.replaceAll(/\{\w+\}/g, '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b19');
      const { status, body } = await tests.people.gateway().call(method.toUpperCase(), url, sent);
      expect([method, path, status]).toEqual([method, path, 403]);
      // Other surfaces have other error formats, not all of which contain codes.
      if (path.startsWith('/api/')) expect([path, body.detail.code]).toEqual([path, 'api_key_scope_denied']);
    }
  });
});

describe('a candidate', () => {
  it('can be ignored, stays ignored however often it is reported, and is listed by its status (DISC-6)', async () => {
    const { id } = await reportOne();
    const mark = (status: string) => tests.call('PATCH', `/agents/discovery-candidates/${id}`, { status });
    expect((await mark('ignored')).body).toMatchObject({ id, status: 'ignored' });
    await send(await buildReport());
    expect([await list('new'), (await list('ignored')).length]).toEqual([[], 1]);
    expect((await mark('new')).body.status).toBe('new');
    expect((await mark('onboarded')).status).toBe(422);
    expect(await readDiscoveries()).toHaveLength(1);
  });

  it('becomes an agent of the registry only once, under simultaneous requests (DISC-6)', async () => {
    const { id } = await reportOne();
    const onboard = () => tests.call('POST', `/agents/discovery-candidates/${id}/onboard`, { display_name: 'Mine' });
    const answers = await Promise.all(Array.from({ length: 5 }, onboard));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const agent = answers.find(({ status }) => status === 201)?.body;
    expect(agent).toMatchObject({ agent_kind: 'claude_code', display_name: 'Mine', enrolled_via: 'discovery' });
    expect(await list('onboarded')).toMatchObject([{ id, agent_id: agent?.id }]);
    const { status, body } = await tests.call('PATCH', `/agents/discovery-candidates/${id}`, { status: 'ignored' });
    expect([status, body.detail.agent_id]).toEqual([409, agent?.id]);
  });

  it('is not found in another account (DISC-6)', async () => {
    const { id } = await reportOne();
    const other = await tests.people.register();
    const path = `/agents/discovery-candidates/${id}`;
    expect((await tests.call('PATCH', path, { status: 'ignored' }, other.accessToken)).status).toBe(404);
    expect((await tests.call('POST', `${path}/onboard`, {}, other.accessToken)).status).toBe(404);
  });

  it('is deleted if no workstation reports it for 90 days, and counts as new when it is reported again (DISC-7)', async () => {
    const { id, last_seen_at: seenAt } = await reportOne();
    const database = connectTestDatabase(tests.people.gateway().database.url);
    const purge = (at: number) => purgeCandidates(database.db, new Date(at));
    const seen = new Date(seenAt as string).getTime();
    await purge(seen + 90 * DAY_MS);
    expect(await list()).toMatchObject([{ id }]);
    await purge(seen + 90 * DAY_MS + 1);
    await database.close();
    expect(await list()).toEqual([]);
    expect((await send(await buildReport())).body).toEqual({ created: 1, updated: 0 });
    expect(await readDiscoveries()).toHaveLength(2);
  });
});
