import { newId } from '@steward/crypto';
import { purgeDeletedSession } from '@steward/sessions';
import { findInDatabase } from '../../../testing/find-in-database.ts';
import { useSessions } from '../../../testing/session-tests.ts';
import { useSweeperRole } from '../../../testing/use-sweeper-role.ts';

const SECRET = `ghp_${'z9Y8'.repeat(9)}`;
const role = useSweeperRole(() => gateway());
const { account, call, gateway, open, stranger } = useSessions();

/** Creates a session with the word in every field. */
async function openMarked(word: string): Promise<string> {
  const { id } = await open({
    session_source_id: word,
    session_reference: `ref ${word}`,
    runtime_principal_id: `agent-${word}`,
    title: `title ${word}`,
    summary: `summary ${word} ${SECRET}`,
    labels: [`repo:${word}`],
  });
  const text = `${word} with ${SECRET}`;
  await call('POST', `/${id}/transcript`, { messages: [{ role: 'user', content: text, external_id: `m-${word}` }] });
  await call('POST', `/${id}/tool-calls`, { tool_name: `tool-${word}`, arguments: { text }, result: text });
  const note = { runtime_session_id: id, text: `note ${word}` };
  expect(
    (await gateway().call('POST', '/api/v1/operator-notes', { token: account().accessToken, body: note })).status,
  ).toBe(201);
  return id;
}

const listIds = async (path: string): Promise<string[]> => {
  const { body } = await call('GET', path);
  return (body as { items: readonly { id: string }[] }).items.map(({ id }) => id);
};
const search = async (query: string, more: object = {}) => {
  const { status, body } = await call('POST', '/search', { query, ...more });
  expect(status).toBe(200);
  return body as { total: number; results: readonly { runtime_session_id: string }[] };
};
const audits = async (id: string) => {
  const { rows } = await role
    .admin()
    .pool.query(`select action, status, details from gateway.audit_log where resource_id = $1 order by id`, [id]);
  return rows as { action: string; status: string; details: object }[];
};

describe('DELETE /runtime-sessions/{id} (SESS-19)', () => {
  it('hides the session everywhere once the response is sent, even while its rows still exist', async () => {
    const word = 'wombatalpha';
    const id = await openMarked(word);
    const asked = { value: SECRET };
    expect((await search(word)).total).toBe(1);
    expect((await search(id)).results).toHaveLength(1);
    expect((await call('POST', '/credential-sightings', asked)).body).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ runtime_session_id: id })]) as unknown,
    });

    const answer = await call('DELETE', `/${id}`);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(await findInDatabase(gateway().database.url, word)).not.toEqual([]);
    for (const path of ['', '/timeline', '/export', '/similar'])
      expect([path, (await call('GET', `/${id}${path}`)).status]).toEqual([path, 404]);
    for (const [method, path, body] of [
      ['PATCH', '', { title: 'x' }],
      ['POST', '/end', {}],
      ['POST', '/tool-calls', { tool_name: 'x', arguments: {} }],
      ['DELETE', '', undefined],
    ] as const)
      expect([path, (await call(method, `/${id}${path}`, body)).status]).toEqual([path, 404]);
    expect(await listIds(`?label=repo:${word}`)).toEqual([]);
    expect(await listIds(`?runtime_principal_id=agent-${word}`)).toEqual([]);
    for (const query of [word, id, `ref ${word}`])
      expect([query, await search(query)]).toMatchObject([query, { total: 0, results: [] }]);
    expect((await call('POST', '/credential-sightings', asked)).body).toMatchObject({ items: [] });
    expect(await audits(id)).toEqual([expect.objectContaining({ action: 'delete', status: 'success', details: {} })]);
  });

  it('removes all session data from the database, except its id in the audit log and names in statistics (STATS-5)', async () => {
    const word = 'wombatbeta';
    const id = await openMarked(word);
    expect((await findInDatabase(gateway().database.url, word)).length).toBeGreaterThan(5);
    await call('DELETE', `/${id}`);
    while ((await purgeDeletedSession(role.sweeper().db, [])) !== undefined);
    // The names of its agent and its tool contain the word.
    const left = (await findInDatabase(gateway().database.url, word)).filter((table) => !table.startsWith('stats.'));
    expect(left).toEqual([]);
    const named = await findInDatabase(gateway().database.url, id);
    expect(named.every((table) => table === 'gateway.audit_log')).toBe(true);
  });

  it('allows a new session with the same source', async () => {
    const source = { session_source_type: 'ci', session_source_id: 'again' };
    const { id } = await open(source);
    await call('DELETE', `/${id}`);
    const anew = await call('POST', '', source);
    expect([anew.status, anew.body.id === id]).toEqual([201, false]);
  });

  it('returns 404 to other accounts, and requires the permission (API-10)', async () => {
    const { id } = await open();
    expect((await call('DELETE', `/${id}`, undefined, stranger().accessToken)).status).toBe(404);
    expect((await call('DELETE', `/${newId()}`)).status).toBe(404);
    const asked = { token: account().accessToken, body: { name: 'viewer', scopes: ['view_runtime_sessions'] } };
    const viewer = (await gateway().call('POST', '/api/v1/auth/api-keys', asked)).body['key'] as string;
    expect((await call('DELETE', `/${id}`, undefined, viewer)).status).toBe(403);
    expect((await call('PATCH', `/${id}`, { legal_hold: true }, viewer)).status).toBe(403);
    expect((await call('GET', `/${id}`)).status).toBe(200);
  });
});

describe('legal hold (SESS-22)', () => {
  it('cannot be changed with the key of an agent, whatever permissions its owner has', async () => {
    const { id } = await open();
    await call('PATCH', `/${id}`, { legal_hold: true });
    const token = account().accessToken;
    const agent = { agent_kind: 'codex', display_name: 'of a test' };
    const { id: agentId } = (await gateway().call('POST', '/api/v1/agents', { token, body: agent })).body;
    const bound = { name: 'agent', runtime_principal: { type: 'managed_agent', id: agentId as string } };
    const { key } = (await gateway().call('POST', '/api/v1/auth/api-keys', { token, body: bound })).body;
    expect((await call('PATCH', `/${id}`, { legal_hold: false }, key as string)).status).toBe(403);
    expect((await call('PATCH', `/${id}`, { title: 'by an agent' }, key as string)).status).toBe(200);
    expect((await call('GET', `/${id}`)).body).toMatchObject({ legal_hold: true, title: 'by an agent' });
  });

  it('is set and removed with PATCH, returned, recorded, and prevents deletion', async () => {
    const { id } = await open();
    expect((await call('GET', `/${id}`)).body).toMatchObject({ legal_hold: false });
    expect((await call('PATCH', `/${id}`, { legal_hold: true })).body).toMatchObject({ legal_hold: true });
    const refused = await call('DELETE', `/${id}`);
    expect([refused.status, refused.body.detail.code]).toEqual([409, 'legal_hold']);
    await call('PATCH', `/${id}`, { title: 'held' });
    expect((await call('GET', `/${id}`)).body).toMatchObject({ legal_hold: true, title: 'held' });
    await call('PATCH', `/${id}`, { legal_hold: false });
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await audits(id)).map(({ action, details }) => [action, details])).toEqual([
      ['update', { fields: ['legal_hold'], legal_hold: true }],
      ['update', { fields: ['title'] }],
      ['update', { fields: ['legal_hold'], legal_hold: false }],
      ['delete', {}],
    ]);
  });
});
