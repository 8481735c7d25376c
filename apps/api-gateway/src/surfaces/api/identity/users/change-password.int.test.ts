import { PASSWORD, usePeople } from '../../../../testing/people-tests.ts';

const NEW = 'another long password';

describe('changing a password', () => {
  const people = usePeople({ LOGIN_FAILURES_PER_MINUTE: '3' });
  const change = (token: string, current: string, next: string) =>
    people.call('PUT', '/users/me/password', token, { current_password: current, new_password: next });

  it('ends every other login, keeps this one and the API keys, and is recorded (ACC-11)', async () => {
    const owner = await people.register();
    const member = await people.add(owner.accessToken, 'viewer');
    const thief = (await people.login(member.username)).body;
    const key = (await people.call('POST', '/auth/api-keys', member.token, { name: 'ci' })).body.key;
    expect((await change(member.token, PASSWORD, NEW)).status).toBe(204);
    expect(await people.probe(thief.access_token)).toBe(401);
    const stolen = await people.call('POST', '/auth/refresh', undefined, { refresh_token: thief.refresh_token });
    expect(stolen.status).toBe(401);
    for (const token of [member.token, key, owner.accessToken]) expect(await people.probe(token)).toBe(200);
    expect((await people.login(member.username, PASSWORD)).status).toBe(401);
    expect((await people.login(member.username, NEW)).status).toBe(200);
    const entries = (await people.readAudit(owner.accessToken)).filter((entry) => entry.action === 'change_password');
    expect(entries).toMatchObject([{ resource_id: member.id, status: 'success', actor: { id: member.id } }]);
    expect(JSON.stringify(entries)).not.toContain(NEW);
  });

  it('requires the current password; guessing is limited in the same way as for logins (ACC-13)', async () => {
    const owner = await people.register();
    for (let guess = 0; guess < 3; guess += 1) {
      const wrong = await change(owner.accessToken, `guess ${guess}`, NEW);
      expect([wrong.status, wrong.body.detail.field]).toEqual([422, 'current_password']);
    }
    expect((await change(owner.accessToken, owner.password, NEW)).status).toBe(429);
    expect((await people.login(owner.username, owner.password)).status).toBe(429);
  });

  it.each([
    ['common', 'password123'],
    ['the current password', PASSWORD],
  ])('refuses a new password that is %s (ACC-6)', async (_case, next) => {
    const owner = await people.register();
    const member = await people.add(owner.accessToken, 'viewer');
    const refused = await change(member.token, PASSWORD, next);
    expect([refused.status, refused.body.detail.code, refused.body.detail.field]).toEqual([
      422,
      'weak_password',
      'new_password',
    ]);
  });

  it('is not possible with API keys (ACC-11)', async () => {
    const owner = await people.register();
    const key = (await people.call('POST', '/auth/api-keys', owner.accessToken, { name: 'found' })).body.key;
    expect((await change(key, owner.password, NEW)).status).toBe(403);
  });
});
