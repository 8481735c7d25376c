import { newId, readTraceId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { describeSentHeaders } from '@steward/webhooks';
import { FAST_SCHEDULE, NO_POLL, useDispatching } from './testing/use-dispatching.ts';
import { verifyRequest } from './testing/verify-request.ts';

const dispatching = useDispatching();

describe('delivering', () => {
  it('sends an event within a second of its commit, and stripe, standardwebhooks and svix accept the signature (HOOK-15, HOOK-16)', async () => {
    await dispatching.suite.startDispatcher(NO_POLL);
    const endpoint = await dispatching.suite.addEndpoint(`${dispatching.receiver.url}/hook?a=b`);
    const eventId = newId();
    const [deliveryId] = await dispatching.suite.emit(endpoint.accountId, eventId);
    const [request] = await dispatching.receiver.waitForRequests(1);
    // The measurement is repeated, because on a busy machine a delivery may be delayed by a poll or a pause of the
    // dispatcher.
    await eventually(async () => {
      const count = dispatching.receiver.requests.length + 1;
      const emittedAt = Date.now();
      await dispatching.suite.emit(endpoint.accountId);
      const received = (await dispatching.receiver.waitForRequests(count))[count - 1]!.receivedAt;
      return received.getTime() - emittedAt < 1000;
    });
    expect(request!.path).toBe('/hook?a=b');
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhook/1',
      'x-service-event-id': eventId,
      'x-service-event-type': 'session.ended',
      'x-service-delivery-id': deliveryId,
      'x-service-attempt': '1',
      'webhook-id': eventId,
    });
    expect(verifyRequest(request!, endpoint.secret)).toMatchObject({
      id: eventId,
      type: 'session.ended',
      version: '1',
    });
    expect(Object.keys(JSON.parse(request!.body.toString()) as object)).toEqual([
      'id',
      'type',
      'version',
      'occurred_at',
      'account_id',
      'data',
    ]);
    const { delivery, attempts } = await eventually(async () => {
      const found = await dispatching.suite.read(endpoint.accountId, deliveryId!);
      return found.delivery.status === 'delivered' ? found : undefined;
    });
    expect(delivery).toMatchObject({ attemptCount: 1, responseStatus: 200, lastError: null });
    expect(delivery.deliveredAt).toBeInstanceOf(Date);
    expect(attempts).toMatchObject([
      { number: 1, responseStatus: 200, error: null, errorClass: null, remoteAddress: '127.0.0.1' },
    ]);
  });

  it('records the headers of each attempt, except its signatures (HOOK-41)', async () => {
    dispatching.receiver.respondWith(
      (_request, response, index) => void response.writeHead(index === 0 ? 500 : 200).end(),
    );
    await dispatching.suite.startDispatcher({}, FAST_SCHEDULE);
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const [deliveryId] = await dispatching.suite.emit(endpoint.accountId);
    const requests = await dispatching.receiver.waitForRequests(2);
    const { delivery, attempts, request } = await eventually(async () => {
      const found = await dispatching.suite.read(endpoint.accountId, deliveryId!);
      return found.delivery.status === 'delivered' ? found : undefined;
    });
    const { eventId, eventType } = delivery;
    for (const [index, { number, startedAt }] of attempts.entries()) {
      const told = describeSentHeaders({
        ...{ ...request!, eventId, eventType, deliveryId: delivery.id, attemptNumber: number, startedAt },
      });
      const sent = requests[index]!.headers;
      const hide = (text: unknown) => String(text).replaceAll(/(?<=v1[=,])[^,]+/g, '(hidden)');
      for (const [name, value] of Object.entries(told))
        expect([name, hide(sent[name.toLowerCase()])]).toEqual([name, value]);
      const transport = ['host', 'connection'];
      expect(
        Object.keys(sent)
          .filter((name) => !transport.includes(name))
          .sort(),
      ).toEqual(
        Object.keys(told)
          .map((name) => name.toLowerCase())
          .sort(),
      );
    }
  });

  it('sends the trace context of the delivery, which is the same in every attempt, or none if the delivery has none (HOOK-38)', async () => {
    dispatching.receiver.respondWith(
      (_request, response, index) => void response.writeHead(index === 0 ? 500 : 200).end(),
    );
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const [deliveryId] = await dispatching.suite.emit(endpoint.accountId);
    const { rows } = await dispatching.suite.query('select traceparent from webhooks.delivery where id = $1', [
      deliveryId,
    ]);
    await dispatching.suite.startDispatcher({}, FAST_SCHEDULE);
    const attempts = await dispatching.receiver.waitForRequests(2);
    const traced = (rows[0] as { traceparent: string }).traceparent;
    expect(readTraceId(traced)).toBeDefined();
    expect(attempts.map(({ headers }) => headers.traceparent)).toEqual([traced, traced]);
    for (const request of attempts) verifyRequest(request, endpoint.secret);
    await dispatching.suite.stopDispatchers();

    await dispatching.suite.emit(endpoint.accountId);
    await dispatching.suite.query('update webhooks.delivery set traceparent = null', []);
    await dispatching.suite.startDispatcher();
    const [, , untraced] = await dispatching.receiver.waitForRequests(3);
    expect(untraced?.headers).not.toHaveProperty('traceparent');
    verifyRequest(untraced!, endpoint.secret);
  });

  it('finds by polling an event whose message was lost (PROC-10)', async () => {
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    await dispatching.suite.emit(endpoint.accountId);
    await dispatching.suite.startDispatcher();
    await dispatching.receiver.waitForRequests(1);
  });

  it('sends nothing while delivery is disabled, and everything once it is enabled (HOOK-27)', async () => {
    const off = await dispatching.suite.startDispatcher({ WEBHOOK_DELIVERY_ENABLED: 'false' });
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    for (let index = 0; index < 20; index += 1) await dispatching.suite.emit(endpoint.accountId);
    const health = await fetch(`http://127.0.0.1:${off.healthPort}/api/v1/health`);
    expect(health.status).toBe(200);
    expect(dispatching.receiver.requests).toHaveLength(0);
    await off.stop();
    await dispatching.suite.startDispatcher();
    const requests = await dispatching.receiver.waitForRequests(20);
    expect(new Set(requests.map((request) => request.headers['x-service-event-id'])).size).toBe(20);
  });

  it('delivers 500 events to five receivers with two dispatchers, each exactly once', async () => {
    await Promise.all([dispatching.suite.startDispatcher(), dispatching.suite.startDispatcher()]);
    const accountId = newId();
    for (let index = 0; index < 5; index += 1)
      await dispatching.suite.addEndpoint(`${dispatching.receiver.url}/${index}`, [], accountId);
    const ids = Array.from({ length: 100 }, () => newId());
    await Promise.all(ids.map((id) => dispatching.suite.emit(accountId, id)));
    const requests = await dispatching.receiver.waitForRequests(500);
    const keys = requests.map((request) => `${request.path} ${String(request.headers['x-service-event-id'])}`);
    expect(new Set(keys).size).toBe(500);
    await eventually(async () => (await dispatching.suite.list({ accountId, status: 'pending' })).length === 0);
    expect(dispatching.receiver.requests).toHaveLength(500);
  });
});

describe('stopping a dispatcher', () => {
  it('finishes running requests, releases waiting deliveries, and fails none', async () => {
    dispatching.receiver.respondWith((_request, response) => void setTimeout(() => response.writeHead(200).end(), 600));
    const dispatcher = await dispatching.suite.startDispatcher({ WEBHOOK_DELIVERY_CONCURRENCY: '2' });
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    for (let index = 0; index < 12; index += 1) await dispatching.suite.emit(endpoint.accountId);
    await dispatching.receiver.waitForRequests(1);
    expect(await dispatcher.stop()).toBe(true);
    const started = dispatching.receiver.requests.length;
    const deliveries = await dispatching.suite.list({ accountId: endpoint.accountId });
    expect(deliveries.filter((delivery) => delivery.status === 'delivered')).toHaveLength(started);
    expect(deliveries.filter((delivery) => delivery.attemptCount === 0)).toHaveLength(12 - started);
    const { rows } = await dispatching.suite.query(
      'select count(*)::int as n from webhooks.delivery where claim_token is not null',
      [],
    );
    expect(rows[0]).toEqual({ n: 0 });
  });
});
