import { NOTICE_TYPES } from '@steward/webhooks';
import { usePeople } from '../../../testing/people-tests.ts';

const people = usePeople();
const PATH = '/users/me/push-subscriptions';
const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const browser = (name: string) => ({
  url: `https://push.example.test/send/${name}`,
  keys: KEYS,
  notices: ['approval.created'],
  description: name,
});

describe('a browser of a person', () => {
  it('is subscribed, listed without its address and keys, changed and removed, by its person alone (NTC-9)', async () => {
    const owner = await people.register();
    const [ada, bea] = [await people.add(owner.accessToken, 'viewer'), await people.add(owner.accessToken, 'admin')];
    const created = await people.call('POST', PATH, ada.token, browser('phone'));
    expect([created.status, created.body]).toMatchObject([
      201,
      { description: 'phone', current: true, notices: ['approval.created'], push_service: 'https://push.example.test' },
    ]);
    expect(JSON.stringify(created.body)).not.toMatch(/send|BTBZ|BCVx/);
    const path = `${PATH}/${created.body.id}`;
    expect((await people.call('GET', PATH, bea.token)).body.items).toEqual([]);
    expect((await people.call('PATCH', path, bea.token, { notices: [...NOTICE_TYPES] })).status).toBe(404);
    expect((await people.call('DELETE', path, bea.token)).status).toBe(404);
    const changed = await people.call('PATCH', path, ada.token, { notices: ['budget.exceeded', 'policy.denied'] });
    expect(changed.body.notices).toEqual(['budget.exceeded', 'policy.denied']);
    const { body: again } = await people.login(ada.username);
    const listed = await people.call('GET', PATH, again.access_token);
    expect(listed.body.items).toEqual([{ ...changed.body, current: false }]);
    expect((await people.call('GET', '/event-webhooks/endpoints', bea.token)).body.items).toEqual([]);
    expect((await people.call('DELETE', path, ada.token)).status).toBe(204);
    expect((await people.call('GET', PATH, ada.token)).body.items).toEqual([]);
  });

  it('is no longer subscribed after its login ended, here or everywhere (NTC-11)', async () => {
    const owner = await people.register();
    const ada = await people.add(owner.accessToken, 'viewer');
    await people.call('POST', PATH, ada.token, browser('desk'));
    const { body: phone } = await people.login(ada.username);
    await people.call('POST', PATH, phone.access_token, browser('phone'));
    await people.call('POST', '/auth/logout', phone.access_token, { refresh_token: phone.refresh_token });
    const names = async (token: string) =>
      ((await people.call('GET', PATH, token)).body.items as { description: string }[]).map((it) => it.description);
    expect(await names(ada.token)).toEqual(['desk']);
    expect((await people.call('POST', '/auth/sessions/revoke-all', ada.token, {})).status).toBe(204);
    const { body: fresh } = await people.login(ada.username);
    expect(await names(fresh.access_token)).toEqual([]);
  });

  it('is refused without a login, with a key that is none, and with an address that is none', async () => {
    const owner = await people.register();
    const key = await people.call('POST', '/auth/api-keys', owner.accessToken, { name: 'program' });
    const refused = [
      await people.call('POST', PATH, key.body.key, browser('x')),
      await people.call('GET', '/push-key', key.body.key),
      await people.call('POST', PATH, owner.accessToken, { ...browser('x'), keys: { ...KEYS, auth: 'short' } }),
      await people.call('POST', PATH, owner.accessToken, {
        ...browser('x'),
        keys: { ...KEYS, p256dh: 'B'.repeat(87) },
      }),
      await people.call('POST', PATH, owner.accessToken, { ...browser('x'), url: 'push.example.test' }),
      await people.call('POST', PATH, owner.accessToken, { ...browser('x'), url: 'http://push.example.test/send/x' }),
      await people.call('POST', PATH, owner.accessToken, { ...browser('x'), notices: ['session.ended'] }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 422, 422, 422, 422, 422]);
  });
});

describe('the push service of a browser', () => {
  it.each(['127.0.0.1', 'localhost', '169.254.169.254', '10.0.0.1', '[::1]', '[::ffff:10.0.0.1]'])(
    'is refused if it is not public: %s (NTC-14)',
    async (host) => {
      const owner = await people.register();
      const refused = await people.call('POST', PATH, owner.accessToken, { ...browser('x'), url: `https://${host}/x` });
      expect([refused.status, refused.body.detail.code]).toEqual([422, 'target_blocked']);
    },
  );
});

describe('the key for push services', () => {
  it('is there after the first start, the same for everybody (NTC-8)', async () => {
    const [one, other] = [await people.register(), await people.register()];
    const rows = await people.query('select public_key from webhooks.push_key');
    const read = async (token: string) => (await people.call('GET', '/push-key', token)).body.public_key as string;
    expect([await read(one.accessToken), await read(other.accessToken)]).toEqual([
      rows[0]?.['public_key'],
      rows[0]?.['public_key'],
    ]);
  });
});
