import { findRecoveryJob, requestRecovery } from '@steward/slice-webhooks';
import { eventually, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { startDispatching, type Dispatching } from './testing/start-dispatching.ts';
import { verifyRequest } from './testing/verify-request.ts';

/** So long that only a message can have woken the dispatcher. */
const NO_POLL = { WEBHOOK_DELIVERY_POLL_SECONDS: '3600' };
const FAST_SCHEDULE = { retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05] };

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

describe('retrying', () => {
  it('repeats a failed delivery on the schedule with the same ids and bytes, and ends it dead after the sixth attempt', async () => {
    receiver.respondWith((_request, response) => void response.writeHead(500).end('no'));
    await suite.startDispatcher({}, FAST_SCHEDULE);
    const endpoint = await suite.addEndpoint(receiver.url);
    const [deliveryId] = await suite.emit(endpoint.accountId);
    const requests = await receiver.waitForRequests(6);
    expect(requests.map((request) => request.headers['x-service-attempt'])).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(new Set(requests.map((request) => request.body.toString())).size).toBe(1);
    expect(new Set(requests.map((request) => request.headers['x-service-delivery-id'])).size).toBe(1);
    for (const request of requests) verifyRequest(request, endpoint.secret);
    const dead = await eventually(async () => (await suite.list({ accountId: endpoint.accountId, status: 'dead' }))[0]);
    expect(dead).toMatchObject({ id: deliveryId, attemptCount: 6, responseStatus: 500, lastError: 'HTTP 500' });
    const { attempts } = await suite.read(endpoint.accountId, deliveryId!);
    expect(attempts.map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(attempts.at(-1)?.nextAttemptAt).toBeNull();
    for (const [index, attempt] of attempts.slice(1).entries()) {
      expect(attempt.startedAt.getTime()).toBeGreaterThanOrEqual(attempts[index]!.nextAttemptAt!.getTime() - 1);
    }
    for (const [index, attempt] of attempts.slice(1).entries()) {
      const gap = attempt.startedAt.getTime() - attempts[index]!.startedAt.getTime();
      expect(gap).toBeGreaterThanOrEqual(40);
    }
  });

  it('puts the next attempt of the shipped schedule into its window', async () => {
    receiver.respondWith((_request, response) => void response.writeHead(503).end());
    await suite.startDispatcher();
    const endpoint = await suite.addEndpoint(receiver.url);
    const [deliveryId] = await suite.emit(endpoint.accountId);
    const { delivery, attempts } = await eventually(async () => {
      const found = await suite.read(endpoint.accountId, deliveryId!);
      return found.delivery.attemptCount === 1 ? found : undefined;
    });
    const waitMs = delivery.nextAttemptAt!.getTime() - attempts[0]!.startedAt.getTime();
    expect(waitMs).toBeGreaterThanOrEqual(7900);
    expect(waitMs).toBeLessThan(13_000);
    expect(delivery.status).toBe('pending');
  });

  it.each<[string, string, number, number]>([
    ['later than the schedule is followed', '120', 119_000, 125_000],
    ['ten years away counts as an hour', '315360000', 3_599_000, 3_605_000],
    ['earlier than the schedule changes nothing', '1', 7900, 13_000],
    ['that is rubbish changes nothing', 'in a while', 7900, 13_000],
  ])('a Retry-After %s', async (_name, header, leastMs, mostMs) => {
    receiver.respondWith((_request, response) => void response.writeHead(429, { 'retry-after': header }).end());
    await suite.startDispatcher();
    const endpoint = await suite.addEndpoint(receiver.url);
    const [deliveryId] = await suite.emit(endpoint.accountId);
    const { delivery, attempts } = await eventually(async () => {
      const found = await suite.read(endpoint.accountId, deliveryId!);
      return found.delivery.attemptCount === 1 ? found : undefined;
    });
    const waitMs = delivery.nextAttemptAt!.getTime() - attempts[0]!.startedAt.getTime();
    expect(waitMs).toBeGreaterThanOrEqual(leastMs);
    expect(waitMs).toBeLessThan(mostMs);
  });

  it('counts a 2xx with an endless body as delivered and frees the slot at once', async () => {
    let sentBytes = 0;
    receiver.respondWith((_request, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(16_384, 'x');
      const push = (): void => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.byteLength;
        if (!response.destroyed) response.once('drain', push);
      };
      push();
    });
    await suite.startDispatcher({ WEBHOOK_DELIVERY_CONCURRENCY: '1' });
    const endpoint = await suite.addEndpoint(receiver.url);
    const startedAt = Date.now();
    for (let index = 0; index < 10; index += 1) await suite.emit(endpoint.accountId);
    await eventually(
      async () => (await suite.list({ accountId: endpoint.accountId, status: 'delivered' })).length === 10,
    );
    expect(Date.now() - startedAt).toBeLessThan(5000);
    expect(sentBytes).toBeLessThan(10 * 4 * 1024 * 1024);
  });
});

describe('recovery', () => {
  it('sends dead deliveries again with the same bytes once the receiver is back, without another message or a poll', async () => {
    receiver.respondWith((_request, response) => void response.writeHead(500).end());
    await suite.startDispatcher({ ...NO_POLL, WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '1000' }, { retryDelaysSeconds: [] });
    const endpoint = await suite.addEndpoint(receiver.url);
    const { accountId } = endpoint;
    for (let index = 0; index < 10; index += 1) await suite.emit(accountId);
    await eventually(async () => (await suite.list({ accountId, status: 'dead' })).length === 10);
    const first = new Map(receiver.requests.map((request) => [request.headers['x-service-event-id'], request.body]));

    receiver.respondWith((_request, response) => void response.writeHead(200).end());
    const scope = { accountId, endpointId: endpoint.id, since: new Date(Date.now() - 60_000), until: new Date() };
    const accepted = await suite.write((trx) => requestRecovery(trx, scope, { dryRun: false }));
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
    expect([accepted.matched, accepted.queued]).toEqual([10, 10]);
    const again = (await receiver.waitForRequests(20)).slice(10);
    for (const request of again) expect(request.body).toEqual(first.get(request.headers['x-service-event-id']));
    expect(new Set(again.map((request) => request.headers['x-service-event-id'])).size).toBe(10);
    await eventually(async () => (await suite.list({ accountId, status: 'delivered' })).length === 10);
    expect(await suite.list({ accountId, status: 'dead' })).toHaveLength(10);
    const job = await findRecoveryJob(suite.db, accountId, accepted.jobId!);
    expect(job).toMatchObject({ matched: 10, queued: 10, finishedAt: expect.any(Date) });
  });
});
