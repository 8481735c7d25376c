import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';

const tests = useEventWebhooks();
const { call, addEndpoint } = tests;

describe('the inspection of a delivery', () => {
  it('returns the duration of each attempt, why the delivery was held, and the state changes of the breaker (HOOK-33)', async () => {
    const endpoint = await addEndpoint();
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`);
    const [deliveryId] = sent.body.delivery_ids;
    const read = async () => (await call('GET', `/deliveries/${deliveryId}`)).body;
    expect(await read()).toMatchObject({ held_because: null, held_until: null, breaker_history: [], attempts: [] });
    await tests.admin.query(
      `insert into webhooks.attempt (delivery_id, account_id, number, started_at, duration_ms, dns_ms, connect_ms, tls_ms,
         first_byte_ms, response_status, error, error_class, remote_address, next_attempt_at, answer)
       values ($1, $2, 1, '2026-11-20T09:00:00Z', 40, 1, 2, 3, 39, 503, 'HTTP 503', 'http_status', '192.0.2.1',
         '2026-11-20T09:00:10Z', 'no order 4711')`,
      [deliveryId, tests.owner.accountId],
    );
    await tests.admin.query(
      `update webhooks.endpoint set circuit_state = 'open', circuit_open_until = now() + interval '1 hour' where id = $1`,
      [endpoint.id],
    );
    await tests.admin.query(
      `insert into webhooks.breaker_move values
         ($1, $2, now() - interval '2 hours', 'closed', 'open', 'failures', 9),
         ($1, $2, now() - interval '1 hour', 'open', 'half_open', 'cooldown_over', 10),
         ($1, $2, clock_timestamp(), 'half_open', 'open', 'probe_failed', 11)`,
      [endpoint.id, tests.owner.accountId],
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
        answer: 'no order 4711',
        probe: false,
        request_headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Service-Webhook/1',
          'X-Service-Event-Id': sent.body.event_id,
          'X-Service-Event-Type': 'webhook.test',
          'webhook-id': sent.body.event_id,
          'Content-Length': expect.stringMatching(/^\d{3}$/),
          Accept: '*/*',
          'Accept-Encoding': 'identity',
          'X-Service-Signature': 't=1795165200,v1=(hidden)',
          'X-Service-Delivery-Id': deliveryId,
          'X-Service-Attempt': '1',
          'webhook-timestamp': '1795165200',
          'webhook-signature': 'v1,(hidden)',
          traceparent: expect.any(String),
        },
      },
    ]);
    // The last change before the delivery was created is included: it explains the state at that time.
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
