import { newId } from '@steward/runtime';
import { eventually } from '@steward/testing';
import { NO_POLL, useDispatching } from './testing/use-dispatching.ts';
import { verifyRequest } from './testing/verify-request.ts';

const dispatching = useDispatching();

describe('delivering', () => {
  it('posts an event within a second of its commit, and stripe, standardwebhooks and svix accept the signature', async () => {
    await dispatching.suite.startDispatcher(NO_POLL);
    const endpoint = await dispatching.suite.addEndpoint(`${dispatching.receiver.url}/hook?a=b`);
    const eventId = newId();
    const emittedAt = Date.now();
    const [deliveryId] = await dispatching.suite.emit(endpoint.accountId, eventId);
    const [request] = await dispatching.receiver.waitForRequests(1);
    expect(request!.receivedAt.getTime() - emittedAt).toBeLessThan(1000);
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

  it('finds an event whose message was lost by the poll', async () => {
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    await dispatching.suite.emit(endpoint.accountId);
    await dispatching.suite.startDispatcher();
    await dispatching.receiver.waitForRequests(1);
  });

  it('posts nothing while delivery is switched off, and everything once it is on', async () => {
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

  it('delivers 500 events to five receivers through two dispatchers, each exactly once', async () => {
    await Promise.all([dispatching.suite.startDispatcher(), dispatching.suite.startDispatcher()]);
    const accountId = newId();
    for (let index = 0; index < 5; index += 1)
      await dispatching.suite.addEndpoint(`${dispatching.receiver.url}/${index}`, [], accountId);
    const ids = Array.from({ length: 100 }, () => newId());
    await Promise.all(ids.map((id) => dispatching.suite.emit(accountId, id)));
    const requests = await dispatching.receiver.waitForRequests(500, 20_000);
    const keys = requests.map((request) => `${request.path} ${String(request.headers['x-service-event-id'])}`);
    expect(new Set(keys).size).toBe(500);
    await eventually(async () => (await dispatching.suite.list({ accountId, status: 'pending' })).length === 0);
    expect(dispatching.receiver.requests).toHaveLength(500);
  });
});

describe('stopping', () => {
  it('finishes the posts under way, gives back what waits, and fails none', async () => {
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
