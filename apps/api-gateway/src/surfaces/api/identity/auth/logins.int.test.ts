import { PASSWORD, usePeople } from '../../../../testing/people-tests.ts';

describe('logins', () => {
  const people = usePeople();
  const refresh = (token: string) => people.call('POST', '/auth/refresh', undefined, { refresh_token: token });
  const start = async () => {
    const owner = await people.register();
    const { body } = await people.login(owner.username, owner.password);
    return { owner, access: body.access_token as string, refreshToken: body.refresh_token as string };
  };

  it('return new tokens of both kinds on each refresh (ACC-10)', async () => {
    const { access, refreshToken } = await start();
    const first = await refresh(refreshToken);
    expect(first.body).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(first.body.refresh_token).not.toBe(refreshToken);
    const second = await refresh(first.body.refresh_token);
    for (const token of [access, first.body.access_token, second.body.access_token])
      expect(await people.probe(token)).toBe(200);
  });

  it('end completely when a refresh token is sent twice, which is recorded in the audit log (ACC-10, ACC-12)', async () => {
    const { owner, access, refreshToken } = await start();
    const { body } = await refresh(refreshToken);
    const again = await refresh(refreshToken);
    expect([again.status, again.body.detail.code]).toEqual([401, 'unauthenticated']);
    expect((await refresh(body.refresh_token)).status).toBe(401);
    for (const token of [access, body.access_token]) expect(await people.probe(token)).toBe(401);
    expect(await people.probe(owner.accessToken)).toBe(200);
    const [entry] = await people.readAudit(owner.accessToken);
    expect(entry).toMatchObject({ action: 'reuse_refresh_token', resource_id: owner.userId, status: 'denied' });
  });

  it('store the last thousand refresh tokens', async () => {
    const { owner, refreshToken } = await start();
    const [login] = await people.query('select id from gateway.login where user_id = $1 order by created_at desc', [
      owner.userId,
    ]);
    await people.query(
      `insert into gateway.refresh_token (token_hash, login_id, expires_at, used_at)
       select sha256(convert_to('former ' || n, 'UTF8')), $1, now() + interval '1 day', now() - n * interval '1 minute'
       from generate_series(1, 1500) n`,
      [login?.id],
    );
    const { body } = await refresh(refreshToken);
    expect(await people.query('select from gateway.refresh_token where login_id = $1', [login?.id])).toHaveLength(1001);
    // The remaining rows include the token that was just used, so its reuse is detected.
    expect((await refresh(refreshToken)).status).toBe(401);
    expect(await people.probe(body.access_token)).toBe(401);
  });

  it('accept a token that is sent twice at the same moment only once, and then end (ACC-10)', async () => {
    const { access, refreshToken } = await start();
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401, 401]);
    expect(await people.probe(access)).toBe(401);
    const exchanged = answers.find((answer) => answer.status === 200)?.body;
    expect(await people.probe(exchanged.access_token)).toBe(401);
    expect((await refresh(exchanged.refresh_token)).status).toBe(401);
  });

  it('end immediately when the user logs out, without affecting others (ACC-11)', async () => {
    const { owner, access, refreshToken } = await start();
    expect((await people.call('POST', '/auth/logout', access)).status).toBe(204);
    expect(await people.probe(access)).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await people.call('POST', '/auth/logout', access)).status).toBe(401);
    expect(await people.probe(owner.accessToken)).toBe(200);
    expect((await people.readAudit(owner.accessToken))[0]).toMatchObject({ action: 'logout', status: 'success' });
  });

  it('all end when the user revokes all logins, without affecting other users; API keys remain valid (ACC-11)', async () => {
    const { owner, access, refreshToken } = await start();
    const member = await people.add(owner.accessToken, 'viewer');
    const key = (await people.call('POST', '/auth/api-keys', access, { name: 'ci' })).body.key;
    expect((await people.call('POST', '/auth/sessions/revoke-all', access)).status).toBe(204);
    for (const token of [access, owner.accessToken]) expect(await people.probe(token)).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
    for (const token of [member.token, key]) expect(await people.probe(token)).toBe(200);
    expect((await people.login(owner.username, owner.password)).status).toBe(200);
  });

  it('can only be ended by people: a leaked key cannot lock its owner out (ACC-11)', async () => {
    const { access } = await start();
    const key = (await people.call('POST', '/auth/api-keys', access, { name: 'found' })).body.key;
    for (const path of ['/auth/logout', '/auth/sessions/revoke-all']) {
      const refused = await people.call('POST', path, key);
      expect([refused.status, refused.body.detail.code]).toEqual([403, 'permission_denied']);
    }
    expect(await people.probe(access)).toBe(200);
  });

  it('end after their maximum lifetime, however often they are refreshed (ACC-9)', async () => {
    const { owner, access, refreshToken } = await start();
    const { body } = await refresh(refreshToken);
    const rows = await people.query(
      `select max(extract(epoch from ends_at - created_at) / 86400)::int as days,
         max(extract(epoch from expires_at - created_at) / 86400)::int as refresh_days
       from gateway.login where user_id = $1`,
      [owner.userId],
    );
    expect(rows).toEqual([{ days: 30, refresh_days: 7 }]);
    await people.query(
      `update gateway.login set ends_at = now(), expires_at = now() - interval '1 hour' where user_id = $1`,
      [owner.userId],
    );
    expect(await people.probe(access)).toBe(401);
    expect((await refresh(body.refresh_token)).status).toBe(401);
  });

  it('refuse expired refresh tokens (ACC-9)', async () => {
    const { owner, refreshToken } = await start();
    await people.query(
      `update gateway.refresh_token set expires_at = now() - interval '1 second'
       where login_id in (select id from gateway.login where user_id = $1)`,
      [owner.userId],
    );
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it('are stored only as hashes of their tokens (API-17)', async () => {
    const { refreshToken } = await start();
    const rows = await people.query(`select t::text as row from gateway.refresh_token t`);
    expect(rows.length).toBeGreaterThan(0);
    const [bare = ''] = [refreshToken.replace(/^stw_rt_/, '')];
    const hex = Buffer.from(bare).toString('hex');
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${bare}|${hex}`));
  });

  it('do not accept one kind of token in place of the other, or as a key', async () => {
    const { access, refreshToken } = await start();
    expect(await people.probe(refreshToken)).toBe(401);
    expect((await refresh(access)).status).toBe(401);
  });

  it('end with the deactivation of their user, and remain ended after reactivation (ACC-19)', async () => {
    const owner = await people.register();
    const member = await people.add(owner.accessToken, 'viewer');
    for (const active of [false, true]) {
      await people.call('PATCH', `/users/${member.id}`, owner.accessToken, { is_active: active });
      expect(await people.probe(member.token)).toBe(401);
      expect((await refresh(member.refreshToken)).status).toBe(401);
    }
    expect((await people.login(member.username, PASSWORD)).status).toBe(200);
  });
});
