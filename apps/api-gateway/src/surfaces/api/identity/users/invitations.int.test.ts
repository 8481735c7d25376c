import { usePeople } from '../../../../testing/people-tests.ts';

const PASSWORD = 'chosen by the invited';

describe('invitations', () => {
  const people = usePeople({ PUBLIC_URL: 'https://steward.example.test/' });
  let counter = 0;
  const invite = async (token: string, role = 'viewer') => {
    counter += 1;
    const answer = await people.call('POST', '/users', token, {
      username: `invited-${counter}`,
      email: `i${counter}@example.test`,
      role,
    });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const accept = (token: string, fields: object = {}) =>
    people.call('POST', '/auth/invitations/accept', undefined, { token, password: PASSWORD, ...fields });

  it('give a user without a password a one-time link to choose one (ACC-3, ACC-5)', async () => {
    const { accessToken } = await people.register();
    const user = await invite(accessToken);
    const { invitation } = user;
    expect(user.is_invited).toBe(true);
    expect(invitation.url).toBe(`https://steward.example.test/accept-invitation#${invitation.token}`);
    expect(Date.parse(invitation.expires_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    expect((await people.login(user.username, PASSWORD)).status).toBe(401);
    const accepted = await accept(invitation.token, { full_name: 'Dana Doe' });
    expect([accepted.status, accepted.body.is_invited, accepted.body.full_name]).toEqual([200, false, 'Dana Doe']);
    expect((await people.login(user.username, PASSWORD)).status).toBe(200);
    expect((await accept(invitation.token)).status).toBe(404);
  });

  it('that are accepted twice at the same time set only one password (ACC-4)', async () => {
    const { accessToken } = await people.register();
    const { invitation } = await invite(accessToken);
    const answers = await Promise.all(
      [1, 2, 3].map((index) => accept(invitation.token, { password: `${PASSWORD} ${index}` })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404]);
  });

  it('remain valid after a weak password is refused', async () => {
    const { accessToken } = await people.register();
    const { invitation, username } = await invite(accessToken);
    for (const password of ['password123', username]) {
      const weak = await accept(invitation.token, { password });
      expect([weak.status, weak.body.detail.code]).toEqual([422, 'weak_password']);
    }
    expect((await accept(invitation.token)).status).toBe(200);
  });

  it('invalidate the previous one when issued again; a user with a password is not invited (ACC-4)', async () => {
    const { accessToken } = await people.register();
    const { id, invitation } = await invite(accessToken);
    const again = await people.call('POST', `/users/${id}/invitation`, accessToken);
    expect(again.status).toBe(201);
    expect((await accept(invitation.token)).status).toBe(404);
    expect((await accept(again.body.invitation.token)).status).toBe(200);
    expect((await people.call('POST', `/users/${id}/invitation`, accessToken)).status).toBe(409);
  });

  it('are revoked by deactivating the user (ACC-19)', async () => {
    const { accessToken } = await people.register();
    const { id, invitation } = await invite(accessToken);
    for (const active of [false, true]) {
      await people.call('PATCH', `/users/${id}`, accessToken, { is_active: active });
      expect((await accept(invitation.token)).status).toBe(404);
    }
  });

  it('expire after their lifetime', async () => {
    const { accessToken } = await people.register();
    const { id, invitation } = await invite(accessToken);
    await people.query('update gateway.invitation set expires_at = now() where user_id = $1', [id]);
    expect((await accept(invitation.token)).status).toBe(404);
  });

  it('that an owner has not yet accepted do not make that owner count as active: the last active owner remains (ACC-18)', async () => {
    const owner = await people.register();
    await invite(owner.accessToken, 'owner');
    const left = await people.call('PATCH', `/users/${owner.userId}`, owner.accessToken, { role: 'viewer' });
    expect([left.status, left.body.detail.code]).toEqual([409, 'conflict']);
  });

  it('are recorded and stored without their token (ACC-35, API-17)', async () => {
    const { accessToken } = await people.register();
    const { id, invitation } = await invite(accessToken);
    await people.call('POST', `/users/${id}/invitation`, accessToken);
    const audit = await people.readAudit(accessToken);
    expect(audit.slice(0, 2)).toMatchObject([
      { action: 'invite', resource_id: id },
      { action: 'create', resource_id: id, details: { role: 'viewer' } },
    ]);
    expect(JSON.stringify(audit)).not.toContain(invitation.token);
    const list = await people.call('GET', '/users', accessToken);
    expect(JSON.stringify(list.body)).not.toContain(invitation.token);
    expect(list.body.items[0]).toMatchObject({ id, is_invited: true });
  });

  it('cannot be issued in another account, or by a user with fewer permissions (ACC-17, API-10)', async () => {
    const [first, second] = [await people.register(), await people.register()];
    const { id } = await invite(first.accessToken, 'owner');
    expect((await people.call('POST', `/users/${id}/invitation`, second.accessToken)).status).toBe(404);
    const admin = await people.add(first.accessToken, 'admin');
    expect((await people.call('POST', `/users/${id}/invitation`, admin.token)).status).toBe(403);
  });
});
