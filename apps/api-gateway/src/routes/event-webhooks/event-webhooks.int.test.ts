import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import pg from 'pg';
import {
  startTestGateway,
  type CallOptions,
  type JsonResponse,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-gateway.ts';

const BASE = '/api/v1/event-webhooks';
const UNKNOWN_ID = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11';

let gateway: TestGateway;
let admin: pg.Pool;
let owner: TestAccount;

beforeAll(async () => {
  gateway = await startTestGateway({ WEBHOOK_MAX_PENDING_PER_ACCOUNT: '3', WEBHOOK_DELIVERY_TIMEOUT_SECONDS: '7.5' });
  admin = new pg.Pool({ connectionString: gateway.database.url, max: 2 });
});
afterAll(async () => {
  await admin.end();
  await gateway.close();
});
beforeEach(async () => {
  owner = await gateway.registerAccount();
});

function call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<JsonResponse> {
  return gateway.call(method, `${BASE}${path}`, {
    token: owner.accessToken,
    ...(body === undefined ? {} : { body }),
    ...options,
  });
}

async function addEndpoint(fields: object = {}): Promise<{ id: string; secret: string; [key: string]: unknown }> {
  const response = await call('POST', '/endpoints', { url: 'http://127.0.0.1:9/hook', ...fields });
  expect(response.status).toBe(201);
  return response.body as { id: string; secret: string };
}

/** Moves every pending delivery of the account to the history, as the dispatcher would have left it. */
async function finishDeliveries(status: 'delivered' | 'dead'): Promise<void> {
  await admin.query(
    `with gone as (delete from webhooks.delivery where account_id = $1 returning *),
     counted as (update webhooks.outbox_shard set pending = 0 where account_id = $1)
     insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status,
       attempt_count, response_status, last_error, occurred_at, created_at)
     select id, account_id, endpoint_id, event_id, event_type, generation, $2::text, 6,
       case when $2::text = 'dead' then 500 else 200 end, null, occurred_at, created_at from gone`,
    [owner.accountId, status],
  );
}

describe('event webhook catalogue', () => {
  it('lists every subscribable type with a schema its example fits, and the contract in force', async () => {
    const { status, body } = await call('GET', '/catalogue');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: '1',
      signature_header: 'X-Service-Signature',
      tolerance_seconds: 300,
      max_attempts: 6,
      retry_delays_seconds: [10, 60, 300, 900, 2400],
      timeout_seconds: 7.5,
      success: 'any 2xx',
    });
    expect(body.event_types).toHaveLength(12);
    const ajv = ajvFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true }));
    for (const type of body.event_types) {
      expect(type.description).not.toBe('');
      expect(ajv.validate(type.data_schema, type.example)).toBe(true);
    }
    expect(body.event_types.map((type: { name: string }) => type.name)).not.toContain('webhook.test');
  });
});

describe('event webhook endpoints', () => {
  it('show the secret once, on creation, and only its last four characters afterwards', async () => {
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
    const { rows } = await admin.query('select ciphertext from webhooks.endpoint_secret where endpoint_id = $1', [
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
  ])('refuse %j with 422 %s, on creation and on change', async (fields, code) => {
    const created = await call('POST', '/endpoints', { url: 'http://127.0.0.1:9/', ...fields });
    expect([created.status, created.body.detail.code]).toEqual([422, code]);
    const endpoint = await addEndpoint();
    const patched = await call('PATCH', `/endpoints/${endpoint.id}`, fields);
    expect([patched.status, patched.body.detail.code]).toEqual([422, code]);
  });

  it('name the unknown event type', async () => {
    const { body } = await call('POST', '/endpoints', { url: 'http://127.0.0.1:9/', event_types: ['session.started'] });
    expect(body.detail).toMatchObject({ field: 'event_types', event_type: 'session.started' });
    expect(body.detail.message).toContain('session.started');
  });

  it('refuse what is far too long or too many by the same codes, without repeating it', async () => {
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

  it('refuse the twenty-first with 409; a deleted one makes room', async () => {
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

  it('change what the patch names; a new URL and switching on close the breaker', async () => {
    const endpoint = await addEndpoint();
    const open = () =>
      admin.query(
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

  it('read half open once the cooldown is over', async () => {
    const endpoint = await addEndpoint();
    await admin.query(
      `update webhooks.endpoint set circuit_state = 'open', circuit_open_until = now() - interval '1 s' where id = $1`,
      [endpoint.id],
    );
    expect((await call('GET', `/endpoints/${endpoint.id}`)).body.circuit_state).toBe('half_open');
  });

  it('keep their history when deleted and cancel what was pending', async () => {
    const endpoint = await addEndpoint();
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`);
    expect((await call('DELETE', `/endpoints/${endpoint.id}`)).status).toBe(204);
    expect((await call('GET', `/endpoints/${endpoint.id}`)).status).toBe(404);
    expect((await call('DELETE', `/endpoints/${endpoint.id}`)).status).toBe(404);
    const delivery = await call('GET', `/deliveries/${sent.body.delivery_ids[0]}`);
    expect(delivery.body).toMatchObject({ status: 'cancelled', attempts: [], next_attempt_at: null });
  });

  it('rotate their secret: a new one each time, at most two that sign', async () => {
    const endpoint = await addEndpoint();
    const overlapping = await call('POST', `/endpoints/${endpoint.id}/secret/rotate`, { overlap_seconds: 60 });
    expect(overlapping.status).toBe(200);
    expect(overlapping.body.secret).toMatch(/^whsec_/);
    expect(overlapping.body.secret).not.toBe(endpoint.secret);
    expect(overlapping.body.secret_hint).toBe(overlapping.body.secret.slice(-4));
    await call('POST', `/endpoints/${endpoint.id}/secret/rotate`, { overlap_seconds: 60 });
    const count = async () =>
      (
        await admin.query('select count(*)::int as n from webhooks.endpoint_secret where endpoint_id = $1', [
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

  it('that belong to an approval workflow are listed and not changed here', async () => {
    const endpoint = await addEndpoint();
    await admin.query(
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

describe('deliveries', () => {
  it('are queued by a test send, listed with filters and read with their attempts', async () => {
    const endpoint = await addEndpoint({ event_types: ['policy.denied'] });
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`, {});
    expect(sent.status).toBe(202);
    expect(sent.body).toEqual({ event_id: expect.any(String), delivery_ids: [expect.any(String)] });
    const [deliveryId] = sent.body.delivery_ids;
    const delivery = await call('GET', `/deliveries/${deliveryId}`);
    expect(delivery.body).toMatchObject({
      id: deliveryId,
      event_id: sent.body.event_id,
      event_type: 'webhook.test',
      endpoint_id: endpoint.id,
      generation: 1,
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: expect.any(String),
      delivered_at: null,
      response_status: null,
      last_error: null,
      attempts: [],
    });
    const matches = async (query: string) => (await call('GET', `/deliveries?${query}`)).body.items.length;
    const past = encodeURIComponent(new Date(Date.now() - 60_000).toISOString());
    const future = encodeURIComponent(new Date(Date.now() + 60_000).toISOString());
    expect(await matches(`endpoint_id=${endpoint.id}&event_type=webhook.test&status=pending`)).toBe(1);
    expect(await matches(`event_id=${sent.body.event_id}&since=${past}&until=${future}`)).toBe(1);
    for (const query of [
      'status=dead',
      'event_type=policy.denied',
      `event_id=${UNKNOWN_ID}`,
      `since=${future}`,
      `until=${past}`,
    ]) {
      expect(await matches(query)).toBe(0);
    }
    for (const query of ['status=lost', 'endpoint_id=x', 'since=yesterday', 'limit=0', 'limit=201', 'colour=red']) {
      expect((await call('GET', `/deliveries?${query}`)).status).toBe(422);
    }
  });

  it('are paged over pending and finished rows together, newest first', async () => {
    const endpoint = await addEndpoint();
    const send = async () => (await call('POST', `/endpoints/${endpoint.id}/test`)).body.delivery_ids[0] as string;
    const finished = [await send(), await send()];
    await finishDeliveries('delivered');
    const pending = [await send(), await send(), await send()];
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: JsonResponse = await call('GET', `/deliveries?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.body.items.map((delivery: { id: string }) => delivery.id));
      cursor = page.body.next_cursor as string | null;
    }
    expect(seen).toEqual([...finished, ...pending].reverse());
    const delivered = await call('GET', '/deliveries?status=delivered');
    expect(delivered.body.items).toHaveLength(2);
    expect(delivered.body.items[0].delivered_at).not.toBeNull();
  });

  it('answer 429 with Retry-After to a test send while the outbox is full, and the refusal shows on the endpoint', async () => {
    const endpoint = await addEndpoint();
    for (let index = 0; index < 3; index += 1) {
      expect((await call('POST', `/endpoints/${endpoint.id}/test`)).status).toBe(202);
    }
    const refused = await call('POST', `/endpoints/${endpoint.id}/test`);
    expect([refused.status, refused.body.detail.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'outbox_full',
      '60',
    ]);
    const read = await call('GET', `/endpoints/${endpoint.id}`);
    expect(read.body).toMatchObject({ refusal_reason: 'outbox_full', refused_at: expect.any(String) });
  });

  it('that are dead are in the dead-letter list; a replay makes a new generation and leaves them as they are', async () => {
    const endpoint = await addEndpoint();
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`);
    await finishDeliveries('dead');
    const dead = await call('GET', '/deliveries/dead-letter');
    expect(dead.body.items).toMatchObject([{ id: sent.body.delivery_ids[0], status: 'dead', attempt_count: 6 }]);

    const replayed = await call('POST', `/deliveries/${sent.body.event_id}/replay`);
    expect(replayed.status).toBe(202);
    expect(replayed.body).toMatchObject({ event_id: sent.body.event_id, queued: 1, skipped: [] });
    expect(replayed.body.delivery_ids).not.toContain(sent.body.delivery_ids[0]);
    const all = await call('GET', `/deliveries?event_id=${sent.body.event_id}`);
    expect(
      all.body.items.map((delivery: { status: string; generation: number }) => [delivery.status, delivery.generation]),
    ).toEqual([
      ['pending', 2],
      ['dead', 1],
    ]);
    expect((await call('GET', '/deliveries/dead-letter')).body).toEqual(dead.body);
  });

  it('are replayed to active receivers only; the others are named', async () => {
    const endpoint = await addEndpoint();
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`);
    await finishDeliveries('delivered');
    await call('PATCH', `/endpoints/${endpoint.id}`, { active: false });
    const replayed = await call('POST', `/deliveries/${sent.body.event_id}/replay`);
    expect([replayed.status, replayed.body]).toEqual([
      202,
      { event_id: sent.body.event_id, delivery_ids: [], queued: 0, skipped: [endpoint.id] },
    ]);
  });
});

describe('the inspection of a delivery', () => {
  it('tells what each attempt took, what held it and how the breaker moved', async () => {
    const endpoint = await addEndpoint();
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`);
    const [deliveryId] = sent.body.delivery_ids;
    const read = async () => (await call('GET', `/deliveries/${deliveryId}`)).body;
    expect(await read()).toMatchObject({ held_because: null, held_until: null, breaker_history: [], attempts: [] });
    await admin.query(
      `insert into webhooks.attempt (delivery_id, account_id, number, started_at, duration_ms, dns_ms, connect_ms, tls_ms,
         first_byte_ms, response_status, error, error_class, remote_address, next_attempt_at)
       values ($1, $2, 1, '2026-11-20T09:00:00Z', 40, 1, 2, 3, 39, 503, 'HTTP 503', 'http_status', '192.0.2.1',
         '2026-11-20T09:00:10Z')`,
      [deliveryId, owner.accountId],
    );
    await admin.query(
      `update webhooks.endpoint set circuit_state = 'open', circuit_open_until = now() + interval '1 hour' where id = $1`,
      [endpoint.id],
    );
    await admin.query(
      `insert into webhooks.breaker_move values
         ($1, $2, now() - interval '2 hours', 'closed', 'open', 'failures', 9),
         ($1, $2, now() - interval '1 hour', 'open', 'half_open', 'cooldown_over', 10),
         ($1, $2, clock_timestamp(), 'half_open', 'open', 'probe_failed', 11)`,
      [endpoint.id, owner.accountId],
    );
    const held = await read();
    expect(held).toMatchObject({ held_because: 'breaker_open', held_until: expect.any(String) });
    expect(held.attempts).toEqual([
      {
        number: 1,
        started_at: '2026-11-20T09:00:00.000Z',
        duration_ms: 40,
        dns_ms: 1,
        connect_ms: 2,
        tls_ms: 3,
        first_byte_ms: 39,
        response_status: 503,
        error: 'HTTP 503',
        error_class: 'http_status',
        remote_address: '192.0.2.1',
        next_attempt_at: '2026-11-20T09:00:10.000Z',
        probe: false,
      },
    ]);
    // The move before the delivery was made explains the state it met; older ones do not.
    expect(held.breaker_history).toEqual([
      { at: expect.any(String), from: 'open', to: 'half_open', reason: 'cooldown_over', consecutive_failures: 10 },
      { at: expect.any(String), from: 'half_open', to: 'open', reason: 'probe_failed', consecutive_failures: 11 },
    ]);

    await call('PATCH', `/endpoints/${endpoint.id}`, { active: true });
    const resumed = await read();
    expect(resumed.held_because).toBeNull();
    expect(resumed.breaker_history.at(-1)).toMatchObject({ from: 'open', to: 'closed', reason: 'endpoint_changed' });
    await call('PATCH', `/endpoints/${endpoint.id}`, { active: false });
    expect(await read()).toMatchObject({ held_because: 'endpoint_inactive', held_until: null });
  });
});

describe('recovering dead deliveries', () => {
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const recover = (body: object) => call('POST', '/deliveries/recover', { since: hourAgo, status: 'dead', ...body });

  it('counts on a dry run, queues a background recovery otherwise, and shows its progress', async () => {
    const endpoint = await addEndpoint();
    await call('POST', `/endpoints/${endpoint.id}/test`);
    await call('POST', `/endpoints/${endpoint.id}/test`);
    await finishDeliveries('dead');
    const dry = await recover({ dry_run: true });
    expect([dry.status, dry.body]).toEqual([202, { matched: 2, queued: 0, recovery_id: null }]);
    const accepted = await recover({ endpoint_id: endpoint.id });
    expect([accepted.status, accepted.body]).toEqual([202, { matched: 2, queued: 2, recovery_id: expect.any(String) }]);
    const progress = await call('GET', `/deliveries/recover/${accepted.body.recovery_id}`);
    expect([progress.status, progress.body]).toEqual([
      200,
      {
        id: accepted.body.recovery_id,
        endpoint_id: endpoint.id,
        since: hourAgo,
        until: expect.any(String),
        status: 'running',
        matched: 2,
        queued: 0,
        skipped: null,
        created_at: expect.any(String),
        finished_at: null,
      },
    ]);
    const log = await gateway.call('GET', '/api/v1/audit-log', { token: owner.accessToken });
    const rows = (log.body.items as { action: string; resource_id: string }[]).filter(
      (row) => row.action === 'recover',
    );
    expect(rows.map((row) => row.resource_id)).toEqual([accepted.body.recovery_id]);
  });

  it('answers zero when nothing is dead', async () => {
    expect((await recover({})).body).toEqual({ matched: 0, queued: 0, recovery_id: null });
  });

  it('names what is wrong with the request', async () => {
    for (const [body, field] of [
      [{ status: 'delivered' }, 'status'],
      [{ since: 'yesterday' }, 'since'],
      [{ since: new Date(Date.now() + 60_000).toISOString() }, 'since'],
      [{ until: hourAgo }, 'since'],
      [{ colour: 'red' }, 'colour'],
      [{ endpoint_id: 'x' }, 'endpoint_id'],
    ] as const) {
      const refused = await recover(body);
      expect([refused.status, refused.body.detail.code, refused.body.detail.field]).toEqual([
        422,
        'invalid_request',
        field,
      ]);
    }
    expect((await call('POST', '/deliveries/recover', { status: 'dead' })).body.detail.field).toBe('since');
  });

  it('knows nothing of the endpoints and recoveries of other accounts', async () => {
    const endpoint = await addEndpoint();
    await call('POST', `/endpoints/${endpoint.id}/test`);
    await finishDeliveries('dead');
    const accepted = await recover({});
    const stranger = await gateway.registerAccount();
    const token = { token: stranger.accessToken };
    const path = `/deliveries/recover/${accepted.body.recovery_id}`;
    expect((await call('GET', path, undefined, token)).status).toBe(404);
    const foreign = { since: hourAgo, status: 'dead', endpoint_id: endpoint.id };
    expect((await call('POST', '/deliveries/recover', foreign, token)).status).toBe(404);
    expect((await call('POST', '/deliveries/recover', { since: hourAgo, status: 'dead' }, token)).body.matched).toBe(0);
  });
});

describe('who may do what', () => {
  it('answers the same 404 for unknown, malformed and foreign ids', async () => {
    const endpoint = await addEndpoint();
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`);
    const stranger = await gateway.registerAccount();
    const paths = (endpointId: string, deliveryId: string, eventId: string) =>
      [
        ['GET', `/endpoints/${endpointId}`],
        ['PATCH', `/endpoints/${endpointId}`, { active: false }],
        ['DELETE', `/endpoints/${endpointId}`],
        ['POST', `/endpoints/${endpointId}/secret/rotate`],
        ['POST', `/endpoints/${endpointId}/test`],
        ['GET', `/deliveries/${deliveryId}`],
        ['POST', `/deliveries/${eventId}/replay`],
      ] as const;
    const foreign = paths(endpoint.id, sent.body.delivery_ids[0], sent.body.event_id);
    const unknown = [...paths(UNKNOWN_ID, UNKNOWN_ID, UNKNOWN_ID), ...paths('x', 'x', 'x')];
    for (const [method, path, body] of [...foreign, ...unknown]) {
      const response = await call(method, path, body, { token: stranger.accessToken });
      expect([method, path, response.status, response.body.detail]).toEqual([
        method,
        path,
        404,
        { code: 'not_found', message: 'There is no such resource.' },
      ]);
    }
    expect((await call('GET', `/endpoints/${endpoint.id}`)).body.active).toBe(true);
  });

  it('needs a credential, view_policies to read and manage_policies to write', async () => {
    const endpoint = await addEndpoint();
    expect((await gateway.call('GET', `${BASE}/catalogue`)).status).toBe(401);
    const loginAs = async (role: string) => {
      const username = `${role.replaceAll('_', '-')}-${Date.now()}`;
      const password = 'correct horse battery staple';
      const body = { username, email: `${username}@example.test`, password, role };
      expect((await gateway.call('POST', '/api/v1/users', { token: owner.accessToken, body })).status).toBe(201);
      const login = await gateway.call('POST', '/api/v1/auth/token/json', { body: { username, password } });
      return login.body.access_token as string;
    };
    const viewer = await loginAs('viewer');
    const tracker = await loginAs('tracker_manager');
    expect((await call('GET', '/endpoints', undefined, { token: viewer })).status).toBe(200);
    expect((await call('GET', '/deliveries', undefined, { token: viewer })).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', '/endpoints', { url: 'http://127.0.0.1:9/' }],
      ['PATCH', `/endpoints/${endpoint.id}`, {}],
      ['DELETE', `/endpoints/${endpoint.id}`, undefined],
      ['POST', `/endpoints/${endpoint.id}/secret/rotate`, {}],
      ['POST', `/endpoints/${endpoint.id}/test`, {}],
      ['POST', `/deliveries/${UNKNOWN_ID}/replay`, {}],
      ['POST', '/deliveries/recover', { since: '2026-11-20T09:00:00Z', status: 'dead' }],
    ] as const) {
      const refused = await call(method, path, body, { token: viewer });
      expect([refused.status, refused.body.detail.permission]).toEqual([403, 'manage_policies']);
    }
    const blind = await call('GET', '/endpoints', undefined, { token: tracker });
    expect([blind.status, blind.body.detail.permission]).toEqual([403, 'view_policies']);
  });

  it('writes an audit row for every change, without the secret and the URL', async () => {
    const endpoint = await addEndpoint({ url: 'http://127.0.0.1:9/canary-path' });
    await call('PATCH', `/endpoints/${endpoint.id}`, { url: 'http://127.0.0.1:9/canary-other' });
    await call('POST', `/endpoints/${endpoint.id}/secret/rotate`);
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`);
    await call('POST', `/deliveries/${sent.body.event_id}/replay`);
    await call('DELETE', `/endpoints/${endpoint.id}`);
    const log = await gateway.call('GET', '/api/v1/audit-log', { token: owner.accessToken });
    const rows = (log.body.items as { action: string; resource_type: string }[]).filter((row) =>
      row.resource_type.startsWith('event_webhook'),
    );
    expect(rows.map((row) => row.action).reverse()).toEqual([
      'create',
      'update',
      'rotate_secret',
      'test_send',
      'replay',
      'delete',
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/whsec_|canary/);
  });
});

describe('with private targets blocked', () => {
  let guarded: TestGateway;
  let account: TestAccount;
  beforeAll(async () => {
    guarded = await startTestGateway({
      WEBHOOK_BLOCK_PRIVATE_TARGETS: 'true',
      WEBHOOK_ALLOWED_PRIVATE_CIDRS: '10.20.0.0/16',
    });
    account = await guarded.registerAccount();
  });
  afterAll(() => guarded.close());

  const register = (url: string) =>
    guarded.call('POST', `${BASE}/endpoints`, { token: account.accessToken, body: { url } });

  it.each([
    ['http://127.0.0.1/', 'loopback'],
    ['http://localhost/', 'loopback'],
    ['http://[::ffff:7f00:1]/', 'loopback'],
    ['http://169.254.169.254/latest', 'link_local'],
    ['http://10.0.0.1/', 'private'],
    ['http://0.0.0.0/', 'reserved'],
    ['http://does-not-exist.invalid/', 'unresolvable'],
  ])('%s is refused with 422 target_blocked (%s), on creation and on change', async (url, reason) => {
    const refused = await register(url);
    expect([refused.status, refused.body.detail]).toMatchObject([
      422,
      { code: 'target_blocked', field: 'url', reason },
    ]);
    const endpoint = await register('http://10.20.1.1/allowed');
    expect(endpoint.status).toBe(201);
    const moved = await guarded.call('PATCH', `${BASE}/endpoints/${endpoint.body.id}`, {
      token: account.accessToken,
      body: { url },
    });
    expect([moved.status, moved.body.detail.code]).toEqual([422, 'target_blocked']);
  });
});
