import { newId } from '@steward/crypto';
import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';
import type { JsonResponse } from '../../../testing/start-gateway.ts';

const UNKNOWN_ID = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11';
const tests = useEventWebhooks();
const { call, addEndpoint, finishDeliveries } = tests;

describe('deliveries', () => {
  it('are queued by a test send, listed with filters and read with their attempts (HOOK-13, HOOK-33, EVT-13)', async () => {
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

  it('are listed in pages, pending and finished ones together, newest first (API-11)', async () => {
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

  it('refuse a test send with 429 and Retry-After while the outbox is full, and the endpoint shows the refusal (HOOK-31, HOOK-32)', async () => {
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

  it('that are dead are in the dead-letter list; a replay creates new deliveries and leaves the dead ones unchanged (HOOK-35)', async () => {
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

  it('can be replayed to only one of several receivers that have already received the event (HOOK-42)', async () => {
    const [one, other] = [await addEndpoint(), await addEndpoint()];
    const eventId = newId();
    await tests.admin.query(
      `with stored as (insert into webhooks.event (account_id, id, type, occurred_at, body) values ($1, $2, 'session.ended', now(), '{}'))
       insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status, attempt_count, occurred_at,
         created_at)
       select webhooks.new_id(), $1, endpoint_id, $2, 'session.ended', 1, 'delivered', 1, now(), now()
       from unnest($3::uuid[]) endpoint_id`,
      [tests.owner.accountId, eventId, [one.id, other.id]],
    );
    const replay = (endpointId: string) => call('POST', `/deliveries/${eventId}/replay`, { endpoint_id: endpointId });
    const { status, body } = await replay(other.id);
    expect([status, body.queued, body.skipped]).toEqual([202, 1, []]);
    const again = (await call('GET', `/deliveries/${body.delivery_ids[0]}`)).body;
    expect([again.endpoint_id, again.generation]).toEqual([other.id, 2]);
    const never = await replay((await addEndpoint()).id);
    expect([never.status, never.body.detail.field]).toEqual([422, 'endpoint_id']);
    await call('PATCH', `/endpoints/${one.id}`, { active: false });
    expect((await replay(one.id)).body).toMatchObject({ queued: 0, skipped: [one.id] });
  });

  it('are replayed only to active receivers; the others are listed (HOOK-35)', async () => {
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
