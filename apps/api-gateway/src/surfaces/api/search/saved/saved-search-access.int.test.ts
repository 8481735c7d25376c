import { newId } from '@steward/crypto';
import type { JsonResponse } from '../../../../testing/start-gateway.ts';
import { usePeople } from '../../../../testing/people-tests.ts';

const PATH = '/runtime-sessions/search/saved';
const NOT_FOUND = { code: 'not_found', message: 'There is no such resource.' };
const people = usePeople();
const { call } = people;

const save = async (token: string, visibility: string): Promise<{ id: string; name: string }> =>
  (await call('POST', PATH, token, { name: newId(), query: 'kiwi', visibility })).body;
/** Performs every operation on a saved search; returns the responses. */
const touch = async (token: string, id: string): Promise<JsonResponse[]> => [
  await call('GET', `${PATH}/${id}`, token),
  await call('PATCH', `${PATH}/${id}`, token, { name: 'mine' }),
  await call('POST', `${PATH}/${id}/run`, token),
  await call('DELETE', `${PATH}/${id}`, token),
];

describe('another user’s saved search', () => {
  it('that is private is reported as not found, even to owners (SRCH-73, API-10)', async () => {
    const owner = await people.register();
    const [one, other] = [await people.add(owner.accessToken, 'viewer'), await people.add(owner.accessToken, 'admin')];
    const hidden = await save(one.token, 'private');
    for (const token of [owner.accessToken, other.token]) {
      for (const id of [hidden.id, newId(), 'x'])
        for (const { status, body } of await touch(token, id)) expect([status, body.detail]).toEqual([404, NOT_FOUND]);
      expect((await call('GET', PATH, token)).body.items).toEqual([]);
      expect((await call('GET', `${PATH}?name=${hidden.name}`, token)).body.items).toEqual([]);
    }
    expect((await call('GET', `${PATH}/${hidden.id}`, one.token)).body.name).toBe(hidden.name);
  });

  it('that is shared can be seen and run by the whole account, but changed only by its owner (SRCH-74)', async () => {
    const owner = await people.register();
    const [one, other] = [await people.add(owner.accessToken, 'viewer'), await people.add(owner.accessToken, 'editor')];
    const shared = await save(one.token, 'account');
    const [read, patched, run, deleted] = await touch(other.token, shared.id);
    expect(read?.body).toMatchObject({ id: shared.id, is_own: false, owner_user_id: one.id });
    expect(run?.status).toBe(200);
    for (const refused of [patched, deleted])
      expect([refused?.status, refused?.body.detail.code]).toEqual([403, 'permission_denied']);
    expect((await call('GET', PATH, other.token)).body.items).toMatchObject([{ id: shared.id, is_own: false }]);
    expect((await call('GET', `${PATH}?visibility=private`, other.token)).body.items).toEqual([]);
    expect((await call('GET', `${PATH}/${shared.id}`, one.token)).body).toMatchObject({
      name: shared.name,
      run_count: 1,
    });
  });

  it('that is shared can be deleted, but not changed, by users who manage users (SRCH-74)', async () => {
    const owner = await people.register();
    const one = await people.add(owner.accessToken, 'viewer');
    const shared = await save(one.token, 'account');
    const [, patched, , deleted] = await touch(owner.accessToken, shared.id);
    expect([patched?.status, deleted?.status]).toEqual([403, 204]);
    expect((await call('GET', `${PATH}/${shared.id}`, one.token)).status).toBe(404);
  });

  it('is hidden from others when its owner makes it private again', async () => {
    const owner = await people.register();
    const one = await people.add(owner.accessToken, 'viewer');
    const { id } = await save(one.token, 'account');
    await call('PATCH', `${PATH}/${id}`, one.token, { visibility: 'private' });
    expect((await call('GET', `${PATH}/${id}`, owner.accessToken)).status).toBe(404);
  });

  it('is not found in another account, whether it is shared or not (API-10)', async () => {
    const [one, other] = [await people.register(), await people.register()];
    for (const visibility of ['private', 'account']) {
      const { id, name } = await save(one.accessToken, visibility);
      for (const { status, body } of await touch(other.accessToken, id))
        expect([status, body.detail]).toEqual([404, NOT_FOUND]);
      expect((await call('GET', `${PATH}?name=${name}`, other.accessToken)).body.items).toEqual([]);
      expect((await call('GET', `${PATH}/${id}`, one.accessToken)).body).toMatchObject({ name, run_count: 0 });
    }
    expect((await call('GET', PATH, other.accessToken)).body.items).toEqual([]);
  });
});

describe('the permission to save searches', () => {
  it('is view_runtime_sessions; the keys of a person act as that person (SRCH-75)', async () => {
    const owner = await people.register();
    const blind = await people.add(owner.accessToken, 'tracker_manager');
    const { id } = await save(owner.accessToken, 'account');
    const list = await call('GET', PATH, blind.token);
    const made = await call('POST', PATH, blind.token, { name: 'x', query: 'x' });
    for (const refused of [list, made, ...(await touch(blind.token, id))])
      expect([refused.status, refused.body.detail.permission]).toEqual([403, 'view_runtime_sessions']);
    expect((await call('GET', PATH)).status).toBe(401);
    const { body } = await call('POST', '/auth/api-keys', owner.accessToken, { name: 'ci' });
    const ofKey = await save(body.key, 'private');
    expect((await call('GET', `${PATH}/${ofKey.id}`, owner.accessToken)).body).toMatchObject({ is_own: true });
  });
});

describe('the permission to save searches in the enterprise edition', () => {
  const enterprise = usePeople({ SERVICE_EDITION: 'enterprise' });

  it('also requires search_session_content (SRCH-75, ACC-22)', async () => {
    const owner = await enterprise.register();
    const { body: shared } = await enterprise.call('POST', PATH, owner.accessToken, {
      name: 'x',
      query: 'x',
      visibility: 'account',
    });
    const calls = [
      ['GET', '', undefined],
      ['POST', '', { name: 'y', query: 'x' }],
      ['GET', `/${shared.id}`, undefined],
      ['PATCH', `/${shared.id}`, { name: 'y' }],
      ['POST', `/${shared.id}/run`, undefined],
      ['DELETE', `/${shared.id}`, undefined],
    ] as const;
    const viewer = await enterprise.add(owner.accessToken, 'viewer');
    for (const [method, path, body] of calls) {
      const refused = await enterprise.call(method, `${PATH}${path}`, viewer.token, body);
      expect([method, refused.status, refused.body.detail.permission]).toEqual([method, 403, 'search_session_content']);
    }
    const analyst = await enterprise.add(owner.accessToken, 'analyst');
    expect((await enterprise.call('POST', `${PATH}/${shared.id}/run`, analyst.token)).status).toBe(200);
  });
});
