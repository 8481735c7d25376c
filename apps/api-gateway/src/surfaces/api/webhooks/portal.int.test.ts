import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';
import { LINK, openPortal, TARGET } from '../../../testing/portal-tests.ts';

const tests = useEventWebhooks();
const { call } = tests;

const createdBy = async (token: string) => {
  const { status, body } = await call('POST', '/portal-links', LINK, { token });
  expect(status).toBe(201);
  return body as { id: string; token: string };
};
const statusOf = async (token: string) => (await call('GET', '/endpoints', undefined, { token })).status;

describe('a portal link', () => {
  it('lets its holder create, read, change, test and delete endpoints, and see and resend their deliveries (HOOK-50)', async () => {
    const portal = await openPortal(tests);
    const created = await portal.ask('POST', '/endpoints', { url: TARGET, description: 'mine' });
    expect(created.body).toMatchObject({ url: TARGET, group: 'customer-1', event_types: LINK.event_types });
    expect(created.body.secret).toMatch(/^whsec_/);
    const path = `/endpoints/${created.body.id}`;
    const changed = await portal.ask('PATCH', path, {
      url: `${TARGET}/2`,
      event_types: ['session.ended'],
      active: true,
    });
    expect(changed.body).toMatchObject({ url: `${TARGET}/2`, event_types: ['session.ended'] });
    expect(changed.body.secret).toBeUndefined();
    const rotated = await portal.ask('POST', `${path}/secret/rotate`, { overlap_seconds: 60 });
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(created.body.secret);
    expect((await portal.ask('GET', path)).body.secret).toBeUndefined();
    const sent = await portal.ask('POST', `${path}/test`, { event_type: 'session.ended' });
    expect(sent.status).toBe(202);
    await tests.finishDeliveries('dead');
    const listed = await portal.ask('GET', `/deliveries?endpoint_id=${created.body.id}`);
    expect(listed.body.items).toMatchObject([{ event_type: 'session.ended', status: 'dead' }]);
    const read = await portal.ask('GET', `/deliveries/${listed.body.items[0].id}`);
    expect(read.body).toMatchObject({ event_id: sent.body.event_id, attempts: [] });
    const replayed = await portal.ask('POST', `/deliveries/${sent.body.event_id}/replay`, {
      endpoint_id: created.body.id,
    });
    expect([replayed.status, replayed.body.queued]).toEqual([202, 1]);
    expect((await portal.ask('DELETE', path)).status).toBe(204);
    expect((await portal.ask('GET', '/endpoints')).body.items).toEqual([]);
  });

  it('offers only its event types in the catalog, and names no user in a test event (HOOK-53)', async () => {
    const portal = await openPortal(tests, { event_types: ['session.ended'] });
    const { body } = await portal.ask('GET', '/catalogue');
    expect(body.event_types.map(({ name }: { name: string }) => name)).toEqual(['session.ended']);
    const { id } = (await portal.ask('POST', '/endpoints', { url: TARGET })).body;
    const sent = await portal.ask('POST', `/endpoints/${id}/test`);
    const event = await call('GET', `/events/${sent.body.event_id}`);
    expect(JSON.parse(event.body.body as string).data).toMatchObject({ requested_by_user_id: null });
  });

  it('lasts an hour (HOOK-52)', async () => {
    const before = Date.now();
    const portal = await openPortal(tests);
    const lasts = Date.parse(portal.expires_at) - before;
    expect(lasts).toBeGreaterThan(3_590_000);
    expect(lasts).toBeLessThan(3_660_000);
    expect((await portal.ask('GET', '/endpoints')).status).toBe(200);
    await tests.admin.query(`update webhooks.portal_link set expires_at = now() where id = $1`, [portal.id]);
    expect((await portal.ask('GET', '/endpoints')).status).toBe(401);
    expect((await call('GET', '/portal-links')).body.items).toEqual([]);
  });

  it('is listed without its token, and ends when it is revoked (HOOK-52)', async () => {
    const portal = await openPortal(tests);
    const { items } = (await call('GET', '/portal-links')).body;
    expect(items).toEqual([{ id: portal.id, ...LINK, created_at: expect.any(String), expires_at: portal.expires_at }]);
    expect((await call('DELETE', `/portal-links/${portal.id}`)).status).toBe(204);
    expect((await portal.ask('GET', '/endpoints')).status).toBe(401);
    expect((await call('DELETE', `/portal-links/${portal.id}`)).status).toBe(404);
    expect((await call('GET', '/portal-links')).body.items).toEqual([]);
  });

  it('can be neither seen nor revoked by another account', async () => {
    const portal = await openPortal(tests);
    const { accessToken: token } = await tests.gateway.registerAccount();
    expect((await call('GET', '/portal-links', undefined, { token })).body.items).toEqual([]);
    expect((await call('DELETE', `/portal-links/${portal.id}`, undefined, { token })).status).toBe(404);
    expect((await portal.ask('GET', '/endpoints')).status).toBe(200);
  });

  it('ends with the API key that created it (HOOK-52)', async () => {
    const { body: key } = await tests.gateway.call('POST', '/api/v1/auth/api-keys', {
      token: tests.owner.accessToken,
      body: { name: 'backend', scopes: ['manage_policies'] },
    });
    const { token } = await createdBy(key.key as string);
    expect(await statusOf(token)).toBe(200);
    await tests.gateway.call('DELETE', `/api/v1/auth/api-keys/${key.id}`, { token: tests.owner.accessToken });
    expect(await statusOf(token)).toBe(401);
  });

  it('ends when its creator loses the permission or is deactivated (HOOK-52)', async () => {
    const { token } = await createdBy(tests.owner.accessToken);
    const asOwner = { id: tests.owner.userId };
    await tests.admin.query(`update gateway.user_account set is_active = false where id = $1`, [asOwner.id]);
    expect(await statusOf(token)).toBe(401);
    await tests.admin.query(`update gateway.user_account set is_active = true where id = $1`, [asOwner.id]);
    expect(await statusOf(token)).toBe(200);
    await tests.admin.query(
      `update gateway.user_account set role_id = (select id from gateway.role where account_id is null and name = 'viewer') where id = $1`,
      [asOwner.id],
    );
    expect(await statusOf(token)).toBe(401);
  });

  it('is named in the audit rows of what its holder does (HOOK-57)', async () => {
    const portal = await openPortal(tests);
    await portal.ask('POST', '/endpoints', { url: TARGET });
    const log = await tests.gateway.call('GET', '/api/v1/audit-log?resource_type=event_webhook_endpoint', {
      token: tests.owner.accessToken,
    });
    expect(log.body.items).toMatchObject([{ action: 'create', actor: { kind: 'api_key', id: portal.id } }]);
    const links = await tests.gateway.call('GET', '/api/v1/audit-log?resource_type=event_webhook_portal_link', {
      token: tests.owner.accessToken,
    });
    expect(links.body.items).toMatchObject([{ action: 'create', resource_id: portal.id }]);
    expect(JSON.stringify([log.body, links.body])).not.toContain(portal.token);
  });

  it('has a token in the fragment of its address alone (HOOK-54)', async () => {
    const { url, id, token } = await openPortal(tests);
    expect(new URL(url)).toMatchObject({ pathname: `/portal/${id}`, search: '', hash: `#${token}` });
    const { rows } = await tests.admin.query(`select l::text as text from webhooks.portal_link l`);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it.each([
    [{ frame_origins: ['https://*.example.com'] }, 'frame_origins'],
    [{ frame_origins: ['https://a;script-src'] }, 'frame_origins'],
    [{ frame_origins: ['http://app.example.com'] }, 'frame_origins'],
    [{ frame_origins: Array.from({ length: 11 }, (_, at) => `https://app-${at}.example.com`) }, 'frame_origins'],
    [{ group: '' }, 'group'],
    [{ group: '   ' }, 'group'],
    [{ group: 'g'.repeat(101) }, 'group'],
    [{ event_types: [] }, 'event_types'],
    [{ event_types: ['no.such_type'] }, 'event_types'],
  ])('is not created with %j', async (fields, field) => {
    const { status, body } = await call('POST', '/portal-links', { ...LINK, ...fields });
    expect([status, body.detail.field ?? body.detail.errors?.[0]?.field]).toEqual([422, field]);
  });

  it('is refused beyond the limit of an account (LIM-104)', async () => {
    await openPortal(tests);
    await tests.admin.query(
      `insert into webhooks.portal_link (id, account_id, token_hash, group_name, event_types, frame_origins,
         created_by_user_id, expires_at)
       select gen_random_uuid(), $1::uuid, sha256(convert_to(n || $1::uuid::text, 'UTF8')), 'g', '{session.ended}', '{}', $1::uuid,
         now() + interval '1 hour' from generate_series(1, 499) n`,
      [tests.owner.accountId],
    );
    const { status, body } = await call('POST', '/portal-links', LINK);
    expect([status, body.detail]).toMatchObject([409, { code: 'quota_reached', limit: 500 }]);
  });

  it('creates at most five endpoints of its group (LIM-106)', async () => {
    for (let count = 0; count < 4; count += 1) await tests.addEndpoint({ group: LINK.group });
    await tests.addEndpoint();
    const portal = await openPortal(tests);
    expect((await portal.ask('POST', '/endpoints', { url: TARGET })).status).toBe(201);
    const { status, body } = await portal.ask('POST', '/endpoints', { url: TARGET });
    expect([status, body.detail]).toMatchObject([409, { code: 'endpoint_limit_reached', limit: 5 }]);
    await tests.addEndpoint({ group: LINK.group });
  });

  it('has a request budget of its own, which is not that of the account (LIM-105)', async () => {
    const portal = await openPortal(tests);
    const { headers } = await portal.ask('GET', '/catalogue');
    expect(headers.get('ratelimit-limit')).toBe('120');
    expect((await call('GET', '/catalogue')).headers.get('ratelimit-limit')).toBe('6000');
  });
});

describe('the group of an endpoint', () => {
  it('is set, changed and removed (HOOK-51)', async () => {
    const { id, group } = await tests.addEndpoint({ group: ' customer-1 ' });
    expect(group).toBe('customer-1');
    const change = async (to: string | null) => (await call('PATCH', `/endpoints/${id}`, { group: to })).body.group;
    expect(await change('customer-2')).toBe('customer-2');
    expect((await call('PATCH', `/endpoints/${id}`, { description: 'x' })).body.group).toBe('customer-2');
    expect(await change(null)).toBeNull();
    expect((await tests.addEndpoint())['group']).toBeNull();
  });

  it('does not filter the events that the endpoint receives (HOOK-59)', async () => {
    const event_types = ['session.ended'];
    for (const group of ['customer-1', 'customer-2', null]) await tests.addEndpoint({ group, event_types });
    const ask = (path: string, body: object) =>
      tests.gateway.call('POST', `/api/v1/runtime-sessions${path}`, { token: tests.owner.accessToken, body });
    const session = await ask('', { session_source_type: 'agent', session_source_id: 'run-1' });
    await ask(`/${session.body.id}/end`, {});
    const { items } = (await call('GET', '/deliveries')).body;
    expect(new Set(items.map(({ event_id }: { event_id: string }) => event_id)).size).toBe(1);
    expect(items).toHaveLength(3);
  });
});
