import type { Route } from '@steward/http';
import { listDeclaredRoutes } from '../../../list-declared-routes.ts';
import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';
import { openPortal, TARGET, type OpenedPortal } from '../../../testing/portal-tests.ts';

const UNKNOWN_ID = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11';
/** Fewer than the requests that a link may make in a minute (LIM-105). */
const ROUTES_PER_LINK = 100;
const tests = useEventWebhooks();

const withIds = ({ path }: Route): string => path.replaceAll(/\{\w+\}/g, UNKNOWN_ID);

describe('a portal link', () => {
  it('is refused by every route that is not for the endpoints of its group (HOOK-50)', async () => {
    const closed = listDeclaredRoutes().filter(
      ({ auth, openTo }) => auth !== 'none' && openTo?.includes('portal_link') !== true,
    );
    expect(closed.length).toBeGreaterThan(100);
    const reached: unknown[] = [];
    for (let first = 0; first < closed.length; first += ROUTES_PER_LINK) {
      const { token } = await openPortal(tests);
      for (const route of closed.slice(first, first + ROUTES_PER_LINK)) {
        const { status, body } = await tests.gateway.call(route.method.toUpperCase(), withIds(route), { token });
        // A route of another edition is unknown; any other 404 would come from a handler.
        const isUnknown = status === 404 && body.detail.message === 'There is no such path.';
        if (status !== 403 && !isUnknown) reached.push([route.operationId, status, body]);
      }
    }
    expect(reached).toEqual([]);
  });

  it.each([
    ['POST', '/mcp/v1'],
    ['GET', '/openai/v1/models'],
    ['POST', '/openai/v1/chat/completions'],
    ['GET', '/anthropic/v1/models'],
    ['POST', '/anthropic/v1/messages'],
    ['POST', '/otlp/v1/traces'],
  ])('is refused by %s %s', async (method, path) => {
    const { token } = await openPortal(tests);
    expect((await tests.gateway.call(method, path, { token })).status).toBe(403);
  });

  /** An endpoint outside the group of the link, with a delivery and its event. */
  type Outside = () => Promise<{ endpoint: string; delivery: string; event: string }>;
  const addOutside = async (fields: object, token?: string) => {
    const options = token === undefined ? {} : { token };
    const body = { url: 'http://127.0.0.1:9/hook', ...fields };
    const { id } = (await tests.call('POST', '/endpoints', body, options)).body;
    const sent = (await tests.call('POST', `/endpoints/${id}/test`, undefined, options)).body;
    return { endpoint: id as string, delivery: sent.delivery_ids[0] as string, event: sent.event_id as string };
  };
  const OUTSIDE: readonly [string, Outside][] = [
    ['another group', () => addOutside({ group: 'customer-2' })],
    ['no group', () => addOutside({})],
    [
      'the same group of another account',
      async () => addOutside({ group: 'customer-1' }, (await tests.gateway.registerAccount()).accessToken),
    ],
    ['nobody', async () => ({ endpoint: UNKNOWN_ID, delivery: UNKNOWN_ID, event: UNKNOWN_ID })],
  ];

  it.each(OUTSIDE)('finds no endpoint, delivery or event of %s (HOOK-50)', async (_whose, add) => {
    const { endpoint, delivery, event } = await add();
    const portal = await openPortal(tests);
    const requests: Parameters<OpenedPortal['ask']>[] = [
      ['GET', `/endpoints/${endpoint}`],
      ['PATCH', `/endpoints/${endpoint}`, { active: false }],
      ['DELETE', `/endpoints/${endpoint}`],
      ['POST', `/endpoints/${endpoint}/secret/rotate`, {}],
      ['POST', `/endpoints/${endpoint}/test`, {}],
      ['GET', `/deliveries/${delivery}`],
      ['POST', `/deliveries/${event}/replay`, {}],
      ['POST', `/deliveries/${event}/replay`, { endpoint_id: endpoint }],
    ];
    for (const [method, path, body] of requests)
      expect([method, path, (await portal.ask(method, path, body)).status]).toEqual([method, path, 404]);
    expect((await portal.ask('GET', '/endpoints')).body.items).toEqual([]);
    for (const query of ['', `?endpoint_id=${endpoint}`, `?event_id=${event}`])
      expect((await portal.ask('GET', `/deliveries${query}`)).body.items).toEqual([]);
  });

  it('sends an event again only to the endpoints of its group (HOOK-58)', async () => {
    const types = { event_types: ['policy.denied'] };
    const inside = await tests.addEndpoint({ group: 'customer-1', ...types });
    const outside = await tests.addEndpoint(types);
    const sent = (await tests.call('POST', `/endpoints/${inside.id}/test`)).body;
    await tests.finishDeliveries('delivered');
    await tests.admin.query(
      `insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status,
         attempt_count, occurred_at, created_at)
       select gen_random_uuid(), account_id, $1, event_id, event_type, generation, status, attempt_count, occurred_at,
         created_at from webhooks.delivery_done where event_id = $2`,
      [outside.id, sent.event_id],
    );
    const portal = await openPortal(tests);
    const replayed = await portal.ask('POST', `/deliveries/${sent.event_id}/replay`, {});
    expect([replayed.status, replayed.body.queued]).toEqual([202, 1]);
    const beside = await portal.ask('POST', `/deliveries/${sent.event_id}/replay`, { endpoint_id: outside.id });
    expect(beside.status).toBe(422);
    const { items } = (await portal.ask('GET', '/deliveries')).body;
    expect(new Set(items.map(({ endpoint_id }: { endpoint_id: string }) => endpoint_id))).toEqual(new Set([inside.id]));
    expect(items).toHaveLength(2);
  });

  it('moves no endpoint of the group that has types outside the link, and ends the storing of answers (HOOK-53)', async () => {
    const portal = await openPortal(tests);
    const move = { url: `${TARGET}/moved` };
    for (const event_types of [[], ['policy.denied', 'budget.exceeded']]) {
      const { id } = await tests.addEndpoint({ group: 'customer-1', event_types, keep_answers: true });
      const path = `/endpoints/${id}`;
      expect((await portal.ask('PATCH', path, { description: 'ours' })).body).toMatchObject({ event_types });
      const refused = await portal.ask('PATCH', path, move);
      expect([refused.status, refused.body.detail.code]).toEqual([422, 'unknown_event_type']);
      expect((await tests.call('GET', path)).body).toMatchObject({ url: 'http://127.0.0.1:9/hook', event_types });
      const moved = await portal.ask('PATCH', path, { ...move, event_types: ['policy.denied'] });
      expect(moved.body).toMatchObject({ ...move, event_types: ['policy.denied'], keep_answers: false });
    }
  });

  it('sends no event of a type outside the link again (HOOK-53)', async () => {
    const { id } = await tests.addEndpoint({ group: 'customer-1' });
    const send = async (event_type: string) =>
      (await tests.call('POST', `/endpoints/${id}/test`, { event_type })).body.event_id as string;
    const [inside, outside] = [await send('policy.denied'), await send('budget.exceeded')];
    await tests.finishDeliveries('delivered');
    const portal = await openPortal(tests);
    const replay = async (event: string) => (await portal.ask('POST', `/deliveries/${event}/replay`, {})).status;
    expect([await replay(inside), await replay(outside)]).toEqual([202, 404]);
  });

  it('creates endpoints in its group alone, and changes neither their group nor the storing of answers (HOOK-53)', async () => {
    const portal = await openPortal(tests);
    const created = await portal.ask('POST', '/endpoints', { url: TARGET });
    expect([created.status, created.body.group]).toEqual([201, 'customer-1']);
    const refused = async (method: string, path: string, fields: object) => {
      const { status, body } = await portal.ask(method, path, fields);
      return [status, body.detail.code, body.detail.field];
    };
    const path = `/endpoints/${created.body.id}`;
    for (const [method, at, more] of [
      ['POST', '/endpoints', { url: TARGET }],
      ['PATCH', path, {}],
    ] as const) {
      for (const [field, value] of [
        ['group', 'customer-2'],
        ['keep_answers', true],
      ] as const)
        expect(await refused(method, at, { ...more, [field]: value })).toEqual([422, 'invalid_request', field]);
      expect(await refused(method, at, { url: 'http://receiver.example.com/' })).toEqual([422, 'invalid_url', 'url']);
      expect(await refused(method, at, { ...more, event_types: ['budget.exceeded'] })).toEqual([
        ...[422, 'unknown_event_type', 'event_types'],
      ]);
    }
    expect(await refused('PATCH', path, { group: null })).toEqual([422, 'invalid_request', 'group']);
    expect(await refused('POST', `${path}/test`, { event_type: 'budget.exceeded' })).toEqual([
      ...[422, 'unknown_event_type', 'event_type'],
    ]);
  });
});
