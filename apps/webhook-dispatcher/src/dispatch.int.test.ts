import { newId } from '@steward/runtime';
import { eventually, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { startDispatching, type Dispatching } from './testing/start-dispatching.ts';
import { verifyRequest } from './testing/verify-request.ts';

/** So long that only a message can have woken the dispatcher. */
const NO_POLL = { WEBHOOK_DELIVERY_POLL_SECONDS: '3600' };

let suite: Dispatching;
let receiver: HttpReceiver;

beforeAll(async () => {
  suite = await startDispatching();
});
afterAll(() => suite.close());
beforeEach(async () => {
  receiver = await startHttpReceiver();
});
afterEach(async () => {
  await suite.stopDispatchers();
  await receiver.close();
});

describe('delivering', () => {
  it('posts an event within a second of its commit, and stripe, standardwebhooks and svix accept the signature', async () => {
    await suite.startDispatcher(NO_POLL);
    const endpoint = await suite.addEndpoint(`${receiver.url}/hook?a=b`);
    const eventId = newId();
    const emittedAt = Date.now();
    const [deliveryId] = await suite.emit(endpoint.accountId, eventId);
    const [request] = await receiver.waitForRequests(1);
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
      const found = await suite.read(endpoint.accountId, deliveryId!);
      return found.delivery.status === 'delivered' ? found : undefined;
    });
    expect(delivery).toMatchObject({ attemptCount: 1, responseStatus: 200, lastError: null });
    expect(delivery.deliveredAt).toBeInstanceOf(Date);
    expect(attempts).toMatchObject([
      { number: 1, responseStatus: 200, error: null, errorClass: null, remoteAddress: '127.0.0.1' },
    ]);
  });

  it('finds an event whose message was lost by the poll', async () => {
    const endpoint = await suite.addEndpoint(receiver.url);
    await suite.emit(endpoint.accountId);
    await suite.startDispatcher();
    await receiver.waitForRequests(1);
  });

  it('posts nothing while delivery is switched off, and everything once it is on', async () => {
    const off = await suite.startDispatcher({ WEBHOOK_DELIVERY_ENABLED: 'false' });
    const endpoint = await suite.addEndpoint(receiver.url);
    for (let index = 0; index < 20; index += 1) await suite.emit(endpoint.accountId);
    const health = await fetch(`http://127.0.0.1:${off.healthPort}/api/v1/health`);
    expect(health.status).toBe(200);
    expect(receiver.requests).toHaveLength(0);
    await off.stop();
    await suite.startDispatcher();
    const requests = await receiver.waitForRequests(20);
    expect(new Set(requests.map((request) => request.headers['x-service-event-id'])).size).toBe(20);
  });

  it('delivers 500 events to five receivers through two dispatchers, each exactly once', async () => {
    await Promise.all([suite.startDispatcher(), suite.startDispatcher()]);
    const accountId = newId();
    for (let index = 0; index < 5; index += 1) await suite.addEndpoint(`${receiver.url}/${index}`, [], accountId);
    const ids = Array.from({ length: 100 }, () => newId());
    await Promise.all(ids.map((id) => suite.emit(accountId, id)));
    const requests = await receiver.waitForRequests(500, 20_000);
    const keys = requests.map((request) => `${request.path} ${String(request.headers['x-service-event-id'])}`);
    expect(new Set(keys).size).toBe(500);
    await eventually(async () => (await suite.list({ accountId, status: 'pending' })).length === 0);
    expect(receiver.requests).toHaveLength(500);
  });
});

describe('stopping', () => {
  it('finishes the posts under way, gives back what waits, and fails none', async () => {
    receiver.respondWith((_request, response) => void setTimeout(() => response.writeHead(200).end(), 600));
    const dispatcher = await suite.startDispatcher({ WEBHOOK_DELIVERY_CONCURRENCY: '2' });
    const endpoint = await suite.addEndpoint(receiver.url);
    for (let index = 0; index < 12; index += 1) await suite.emit(endpoint.accountId);
    await receiver.waitForRequests(1);
    expect(await dispatcher.stop()).toBe(true);
    const started = receiver.requests.length;
    const deliveries = await suite.list({ accountId: endpoint.accountId });
    expect(deliveries.filter((delivery) => delivery.status === 'delivered')).toHaveLength(started);
    expect(deliveries.filter((delivery) => delivery.attemptCount === 0)).toHaveLength(12 - started);
    const { rows } = await suite.query(
      'select count(*)::int as n from webhooks.delivery where claim_token is not null',
      [],
    );
    expect(rows[0]).toEqual({ n: 0 });
  });
});
