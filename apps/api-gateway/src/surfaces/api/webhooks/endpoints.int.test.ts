import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';

const tests = useEventWebhooks();
const { call, addEndpoint } = tests;

describe('event webhook endpoints', () => {
  it('show the secret once, on creation, and only its last four characters afterwards (HOOK-3, API-16)', async () => {
    const created = await call('POST', '/endpoints', {
      url: 'http://127.0.0.1:9/hook',
      description: 'CI',
      event_types: ['session.ended', 'session.ended'],
    });
    expect(created.status).toBe(201);
    expect(created.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created.body).toMatchObject({
      url: 'http://127.0.0.1:9/hook',
      description: 'CI',
      event_types: ['session.ended'],
      active: true,
      keep_answers: false,
      source: 'account',
      secret_hint: created.body.secret.slice(-4),
      circuit_state: 'closed',
      circuit_open_until: null,
      consecutive_failures: 0,
      refusal_reason: null,
      last_delivery_status: null,
    });
    const read = await call('GET', `/endpoints/${created.body.id}`);
    const { secret, ...withoutSecret } = created.body;
    expect(read.body).toEqual(withoutSecret);
    const list = await call('GET', '/endpoints');
    expect(list.body).toEqual({ items: [withoutSecret], next_cursor: null });
    expect(JSON.stringify(list.body)).not.toContain(secret);
    const { rows } = await tests.admin.query('select ciphertext from webhooks.endpoint_secret where endpoint_id = $1', [
      created.body.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0].ciphertext.includes(secret)).toBe(false);
  });

  it.each([
    [{ url: 'not a url' }, 'invalid_url'],
    [{ url: 'ftp://example.com' }, 'invalid_url'],
    [{ url: 'http://user:password@example.com' }, 'invalid_url'],
    [{ url: 'http://example.com/#x' }, 'invalid_url'],
    [{ url: `http://example.com/${'a'.repeat(2048)}` }, 'invalid_url'],
    [{ url: '' }, 'invalid_url'],
    [{ event_types: ['session.started'] }, 'unknown_event_type'],
    [{ event_types: [''] }, 'unknown_event_type'],
    [{ event_types: ['webhook.test'] }, 'unknown_event_type'],
    [{ event_types: 'session.ended' }, 'invalid_request'],
    [{ colour: 'red' }, 'invalid_request'],
    [{ url: 17 }, 'invalid_request'],
    [{ description: 'x'.repeat(501) }, 'invalid_request'],
  ])('refuse %j with 422 %s, on creation and on change (HOOK-4, HOOK-5)', async (fields, code) => {
    const created = await call('POST', '/endpoints', { url: 'http://127.0.0.1:9/', ...fields });
    expect([created.status, created.body.detail.code]).toEqual([422, code]);
    const endpoint = await addEndpoint();
    const patched = await call('PATCH', `/endpoints/${endpoint.id}`, fields);
    expect([patched.status, patched.body.detail.code]).toEqual([422, code]);
  });

  it('name the unknown event type (HOOK-4)', async () => {
    const { body } = await call('POST', '/endpoints', { url: 'http://127.0.0.1:9/', event_types: ['session.started'] });
    expect(body.detail).toMatchObject({ field: 'event_types', event_type: 'session.started' });
    expect(body.detail.message).toContain('session.started');
  });

  it('refuse values that are too large or too numerous with the same codes, without repeating the values', async () => {
    const fields = { url: `http://example.com/${'a'.repeat(20_000)}`, event_types: ['session.ended'] };
    const longUrl = await call('POST', '/endpoints', fields);
    expect([longUrl.status, longUrl.body.detail.code]).toEqual([422, 'invalid_url']);
    for (const eventTypes of [['x'.repeat(20_000)], Array.from({ length: 100 }, (_, index) => `session.${index}`)]) {
      const { status, body } = await call('POST', '/endpoints', {
        url: 'http://127.0.0.1:9/',
        event_types: eventTypes,
      });
      expect([status, body.detail.code]).toEqual([422, 'unknown_event_type']);
      expect(JSON.stringify(body).length).toBeLessThan(600);
    }
  });

  it('are limited to twenty, after which creation is refused with 409; a deletion frees a slot (HOOK-1, LIM-8)', async () => {
    const first = await addEndpoint();
    for (let index = 1; index < 20; index += 1) await addEndpoint();
    const refused = await call('POST', '/endpoints', { url: 'http://127.0.0.1:9/' });
    expect([refused.status, refused.body.detail]).toMatchObject([409, { code: 'endpoint_limit_reached', limit: 20 }]);
    expect((await call('DELETE', `/endpoints/${first.id}`)).status).toBe(204);
    await addEndpoint();
  });

  it('are listed newest first, page by page', async () => {
    const ids = [];
    for (let index = 0; index < 5; index += 1) ids.push((await addEndpoint()).id);
    const first = await call('GET', '/endpoints?limit=3');
    const second = await call('GET', `/endpoints?limit=3&cursor=${first.body.next_cursor}`);
    const seen = [...first.body.items, ...second.body.items].map((endpoint) => endpoint.id);
    expect(seen).toEqual(ids.reverse());
    expect(second.body.next_cursor).toBeNull();
    const forged = await call('GET', '/endpoints?cursor=x');
    expect([forged.status, forged.body.detail.field]).toEqual([422, 'cursor']);
  });

  it('are updated with the fields of the patch; setting a new URL or enabling an endpoint closes the circuit breaker (HOOK-8)', async () => {
    const endpoint = await addEndpoint();
    const open = () =>
      tests.admin.query(
        `update webhooks.endpoint set circuit_state = 'open', circuit_open_until = now() + interval '10 min',
         consecutive_failures = 10 where id = $1`,
        [endpoint.id],
      );
    await open();
    expect((await call('GET', `/endpoints/${endpoint.id}`)).body.circuit_state).toBe('open');
    const described = await call('PATCH', `/endpoints/${endpoint.id}`, { description: 'new' });
    expect(described.body).toMatchObject({ description: 'new', circuit_state: 'open', consecutive_failures: 10 });
    const moved = await call('PATCH', `/endpoints/${endpoint.id}`, { url: 'http://127.0.0.1:9/other' });
    expect(moved.body).toMatchObject({
      url: 'http://127.0.0.1:9/other',
      circuit_state: 'closed',
      consecutive_failures: 0,
    });
    await open();
    expect((await call('PATCH', `/endpoints/${endpoint.id}`, { active: false })).body).toMatchObject({
      active: false,
      circuit_state: 'open',
    });
    expect((await call('PATCH', `/endpoints/${endpoint.id}`, { active: true })).body).toMatchObject({
      active: true,
      circuit_state: 'closed',
    });
    expect((await call('PATCH', `/endpoints/${endpoint.id}`, {})).status).toBe(200);
  });

  it('are shown as half open once the cooldown is over', async () => {
    const endpoint = await addEndpoint();
    await tests.admin.query(
      `update webhooks.endpoint set circuit_state = 'open', circuit_open_until = now() - interval '1 s' where id = $1`,
      [endpoint.id],
    );
    expect((await call('GET', `/endpoints/${endpoint.id}`)).body.circuit_state).toBe('half_open');
  });

  it('receive the example of any type, whatever their subscriptions (HOOK-43)', async () => {
    const endpoint = await addEndpoint({ event_types: ['policy.denied'] });
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`, { event_type: 'session.ended' });
    expect(sent.status).toBe(202);
    const event = (await call('GET', `/events/${sent.body.event_id}`)).body;
    const catalogue = (await call('GET', '/catalogue')).body.event_types as { name: string; example: unknown }[];
    expect(event.type).toBe('session.ended');
    expect(JSON.parse(event.body).data).toEqual(catalogue.find(({ name }) => name === 'session.ended')?.example);
    const refused = await call('POST', `/endpoints/${endpoint.id}/test`, { event_type: 'session.begun' });
    expect([refused.status, refused.body.detail.code, refused.body.detail.field]).toEqual([
      422,
      'unknown_event_type',
      'event_type',
    ]);
    expect((await call('POST', `/endpoints/${endpoint.id}/test`, { event_type: 'webhook.test' })).status).toBe(202);
  });

  it('remain readable with their history when deleted, and their pending deliveries are cancelled (HOOK-10)', async () => {
    const endpoint = await addEndpoint();
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`);
    expect((await call('DELETE', `/endpoints/${endpoint.id}`)).status).toBe(204);
    expect((await call('GET', `/endpoints/${endpoint.id}`)).status).toBe(404);
    expect((await call('DELETE', `/endpoints/${endpoint.id}`)).status).toBe(404);
    const delivery = await call('GET', `/deliveries/${sent.body.delivery_ids[0]}`);
    expect(delivery.body).toMatchObject({ status: 'cancelled', attempts: [], next_attempt_at: null });
  });

  it('rotate their secret: each rotation creates a new one, and at most two secrets sign (HOOK-11)', async () => {
    const endpoint = await addEndpoint();
    const overlapping = await call('POST', `/endpoints/${endpoint.id}/secret/rotate`, { overlap_seconds: 60 });
    expect(overlapping.status).toBe(200);
    expect(overlapping.body.secret).toMatch(/^whsec_/);
    expect(overlapping.body.secret).not.toBe(endpoint.secret);
    expect(overlapping.body.secret_hint).toBe(overlapping.body.secret.slice(-4));
    await call('POST', `/endpoints/${endpoint.id}/secret/rotate`, { overlap_seconds: 60 });
    const count = async () =>
      (
        await tests.admin.query('select count(*)::int as n from webhooks.endpoint_secret where endpoint_id = $1', [
          endpoint.id,
        ])
      ).rows[0].n;
    expect(await count()).toBe(2);
    expect((await call('POST', `/endpoints/${endpoint.id}/secret/rotate`)).status).toBe(200);
    expect(await count()).toBe(1);
    for (const seconds of [-1, 86_401, 1.5]) {
      expect((await call('POST', `/endpoints/${endpoint.id}/secret/rotate`, { overlap_seconds: seconds })).status).toBe(
        422,
      );
    }
  });

  it('that belong to an approval workflow are listed but cannot be changed on these routes (HOOK-12)', async () => {
    const endpoint = await addEndpoint();
    await tests.admin.query(
      `update webhooks.endpoint set source = 'approval_workflow', source_id = gen_random_uuid() where id = $1`,
      [endpoint.id],
    );
    expect((await call('GET', `/endpoints/${endpoint.id}`)).body.source).toBe('approval_workflow');
    for (const [method, path, body] of [
      ['PATCH', '', { active: false }],
      ['DELETE', '', undefined],
      ['POST', '/secret/rotate', {}],
    ] as const) {
      const refused = await call(method, `/endpoints/${endpoint.id}${path}`, body);
      expect([refused.status, refused.body.detail.code]).toEqual([409, 'conflict']);
    }
  });
});
