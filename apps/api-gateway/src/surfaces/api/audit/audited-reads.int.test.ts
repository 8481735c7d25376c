import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { insertRun, issueRunToken } from '../../../testing/insert-run.ts';
import { usePeople } from '../../../testing/people-tests.ts';
import type { TestAccount } from '../../../testing/start-gateway.ts';

const people = usePeople();
let owner: TestAccount;
beforeEach(async () => void (owner = await people.register()));

interface Row {
  readonly actor: object;
  readonly resource_type: string;
  readonly resource_id: string | null;
  readonly status: string;
  readonly details: Readonly<Record<string, unknown>>;
}
const call = (method: string, path: string, body?: unknown, token = owner.accessToken) =>
  people.call(method, path, token, body);
const readRows = async (): Promise<Row[]> => (await call('GET', '/audit-log?action=read')).body.items as Row[];
const openSession = async (): Promise<string> => {
  const source = { session_source_type: 'ci', session_source_id: newId() };
  return (await call('POST', '/runtime-sessions', source)).body.id as string;
};
const makeKey = async (fields: object): Promise<{ id: string; key: string }> =>
  (await call('POST', '/auth/api-keys', { name: 'reader', ...fields })).body;

it('a person’s reads of timeline pages and exports are recorded in one row each, with a count (ACC-43, SESS-36)', async () => {
  const id = await openSession();
  await Promise.all(Array.from({ length: 12 }, () => call('GET', `/runtime-sessions/${id}/timeline?limit=1`)));
  await call('GET', `/runtime-sessions/${id}/export`);
  const what = (row: Row) => row.details['what'];
  await eventually(async () => (await readRows()).some((row) => row.details['reads'] === 12));
  const rows = await readRows();
  expect(rows.map(what).sort()).toEqual(['export', 'timeline']);
  expect(rows.find((row) => what(row) === 'timeline')).toMatchObject({
    actor: { kind: 'user', id: owner.userId },
    resource_type: 'runtime_session',
    resource_id: id,
    status: 'success',
    details: { what: 'timeline', reads: 12, last_read_at: expect.any(String) as unknown },
  });
});

it('two gateways write one row for a reader that uses both', async () => {
  const id = await openSession();
  const twin = await people.gateway().startTwin();
  const read = (gateway: Pick<typeof twin, 'call'>) =>
    gateway.call('GET', `/api/v1/runtime-sessions/${id}/timeline`, { token: owner.accessToken });
  await Promise.all([read(twin), read(people.gateway()), read(twin), read(people.gateway())]);
  expect(await twin.close()).toBe(true);
  await eventually(async () => (await readRows())[0]?.details['reads'] === 4);
  expect(await readRows()).toHaveLength(1);
});

it('the row for reads with a key names its owner and its agent; a refused read is recorded with the outcome denied', async () => {
  const id = await openSession();
  const bound = await makeKey({ runtime_principal: { type: 'bot', id: 'bot-1' } });
  const narrow = await makeKey({ scopes: ['view_flows'] });
  expect((await call('GET', `/runtime-sessions/${id}/timeline`, undefined, bound.key)).status).toBe(200);
  for (let time = 0; time < 3; time += 1)
    expect((await call('GET', `/runtime-sessions/${id}/export`, undefined, narrow.key)).status).toBe(403);
  await eventually(async () => (await readRows())[0]?.details['reads'] === 3);
  const [denied, read, ...more] = await readRows();
  expect(more).toEqual([]);
  expect(read).toMatchObject({
    actor: { kind: 'api_key', id: bound.id },
    details: { what: 'timeline', user_id: owner.userId, agent: { type: 'bot', id: 'bot-1' } },
  });
  expect(denied).toMatchObject({
    actor: { kind: 'api_key', id: narrow.id },
    resource_id: null,
    status: 'denied',
    details: { what: 'export', error_code: 'permission_denied', permission: 'view_runtime_sessions', reads: 3 },
  });
});

it('the agent of a run creates a row for reading other sessions, but not for its own session and log', async () => {
  const [own, foreign] = [await openSession(), await openSession()];
  const run = await insertRun(people.query, { accountId: owner.accountId, sessionId: own });
  const token = await issueRunToken(people.gateway(), run);
  for (const path of [
    `/runtime-sessions/${own}/timeline`,
    `/runtime-sessions/${own}/export`,
    `/flows/executions/${run.executionId}/logs`,
    `/runtime-sessions/${foreign}/timeline`,
  ])
    expect([path, (await call('GET', path, undefined, token)).status]).toEqual([path, 200]);
  expect(await readRows()).toMatchObject([
    { resource_id: foreign, details: { what: 'timeline', execution_id: run.executionId, agent: { id: run.flowId } } },
  ]);
});

it('reads of unknown objects and of other accounts create no row', async () => {
  const id = await openSession();
  const stranger = (await people.register()).accessToken;
  expect((await call('GET', `/runtime-sessions/${id}/timeline`, undefined, stranger)).status).toBe(404);
  expect((await call('GET', `/runtime-sessions/${newId()}/export`)).status).toBe(404);
  expect(await readRows()).toEqual([]);
  const answer = await people.gateway().call('GET', '/api/v1/audit-log?action=read', { token: stranger });
  expect(answer.body.items).toEqual([]);
});

it('lists of sessions and executions, and reads of their metadata, create no row', async () => {
  const id = await openSession();
  await call('GET', '/runtime-sessions');
  await call('GET', `/runtime-sessions/${id}`);
  await call('GET', '/flows/executions');
  await call('GET', '/audit-log');
  expect(await readRows()).toEqual([]);
});
