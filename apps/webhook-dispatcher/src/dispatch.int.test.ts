import { EVENT_TYPES, type EventData } from '@steward/contracts';
import { startHttpReceiver, eventually, type HttpReceiver, type ReceivedRequest } from '@steward/testing';
import { newId } from '@steward/runtime';
import {
  deleteEndpoint,
  emitEvent,
  findRecoveryJob,
  replayEvent,
  requestRecovery,
  rotateEndpointSecret,
  saveWorkflowEndpoints,
  sendTestEvent,
  updateEndpoint,
  type Acceptance,
} from '@steward/slice-webhooks';
import { createSecretBox } from '@steward/runtime';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { startDispatching, type Dispatching } from './testing/start-dispatching.ts';

/** So long that only a message can have woken the dispatcher. */
const NO_POLL = { WEBHOOK_DELIVERY_POLL_SECONDS: '3600' };
const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';
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

function verify(request: ReceivedRequest, secret: string): unknown {
  const stripe = new Stripe('sk_test_unused');
  const event = stripe.webhooks.constructEvent(request.body, String(request.headers['x-service-signature']), secret);
  const headers = request.headers as Record<string, string>;
  new StandardWebhook(secret).verify(request.body.toString(), headers);
  new SvixWebhook(secret).verify(request.body.toString(), headers);
  return event;
}

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
    expect(verify(request!, endpoint.secret)).toMatchObject({ id: eventId, type: 'session.ended', version: '1' });
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
    for (const request of requests) verify(request, endpoint.secret);
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

  it('does not follow a redirect: the second server sees nothing', async () => {
    const other = await startHttpReceiver();
    receiver.respondWith((_request, response) => void response.writeHead(307, { location: other.url }).end());
    await suite.startDispatcher();
    const endpoint = await suite.addEndpoint(receiver.url);
    const [deliveryId] = await suite.emit(endpoint.accountId);
    const { attempts } = await eventually(async () => {
      const found = await suite.read(endpoint.accountId, deliveryId!);
      return found.attempts.length === 1 ? found : undefined;
    });
    expect(attempts[0]).toMatchObject({ responseStatus: 307, errorClass: 'redirect' });
    expect(other.requests).toHaveLength(0);
    await other.close();
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

describe('breaker', () => {
  const QUICK = { WEBHOOK_CIRCUIT_COOLDOWN_SECONDS: '1' };
  const state = async (id: string) => {
    const { rows } = await suite.query(
      'select circuit_state, consecutive_failures from webhooks.endpoint where id = $1',
      [id],
    );
    return rows[0] as { circuit_state: string; consecutive_failures: number };
  };

  it('opens at the tenth failure, burns no attempt of what waits, and lets one probe through over two dispatchers', async () => {
    receiver.respondWith((_request, response) => void response.writeHead(500).end());
    await Promise.all([suite.startDispatcher(QUICK), suite.startDispatcher(QUICK)]);
    const endpoint = await suite.addEndpoint(receiver.url);
    for (let index = 0; index < 30; index += 1) await suite.emit(endpoint.accountId);
    await eventually(async () => (await state(endpoint.id)).circuit_state === 'open');
    const atOpening = receiver.requests.length;
    expect(atOpening).toBeGreaterThanOrEqual(10);
    // Two dispatchers, at most two posts to an unproven endpoint each: what was under way may still arrive.
    expect(atOpening).toBeLessThanOrEqual(14);
    // The probe is answered slowly: while it runs nothing else may arrive.
    receiver.respondWith((_request, response) => void setTimeout(() => response.writeHead(500).end(), 700));
    const before = receiver.requests.length;
    await receiver.waitForRequests(before + 1);
    await eventually(async () => (await state(endpoint.id)).circuit_state === 'open');
    expect(receiver.requests).toHaveLength(before + 1);
    const waiting = await suite.list({ accountId: endpoint.accountId, status: 'pending' });
    expect(waiting).toHaveLength(30);
    expect(waiting.filter((delivery) => delivery.attemptCount === 0).length).toBeGreaterThanOrEqual(15);

    receiver.respondWith((_request, response) => void response.writeHead(204).end());
    await eventually(async () => (await state(endpoint.id)).circuit_state === 'closed', { timeoutMs: 15_000 });
    expect((await state(endpoint.id)).consecutive_failures).toBe(0);
    await eventually(async () => {
      const untouched = await suite.list({ accountId: endpoint.accountId, status: 'pending' });
      return untouched.every((delivery) => delivery.attemptCount > 0);
    });
    const last = await suite.read(endpoint.accountId, waiting[0]!.id);
    const moves = last.breakerMoves.map((move) => `${move.from} to ${move.to}: ${move.reason}`);
    expect(moves.slice(0, 4)).toEqual([
      'closed to open: failures',
      'open to half_open: cooldown_over',
      'half_open to open: probe_failed',
      'open to half_open: cooldown_over',
    ]);
    expect(last.breakerMoves.every((move, index, all) => index === 0 || move.movedAt >= all[index - 1]!.movedAt)).toBe(
      true,
    );
  });

  it('meets a receiver that comes back with a ramp, not with everything that piled up', async () => {
    receiver.respondWith((_request, response) => void response.writeHead(503).end());
    const environment = {
      WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '5',
      WEBHOOK_CIRCUIT_COOLDOWN_SECONDS: '1',
      WEBHOOK_DELIVERY_CONCURRENCY: '64',
    };
    await suite.startDispatcher(environment, FAST_SCHEDULE);
    const endpoint = await suite.addEndpoint(receiver.url);
    await suite.emit(endpoint.accountId);
    await eventually(async () => (await state(endpoint.id)).circuit_state === 'open');
    await Promise.all(Array.from({ length: 400 }, () => suite.emit(endpoint.accountId)));
    let inFlight = 0;
    const seen: number[] = [];
    receiver.respondWith((_request, response) => {
      inFlight += 1;
      seen.push(inFlight);
      setTimeout(() => {
        inFlight -= 1;
        response.writeHead(200).end();
      }, 20);
    });
    await eventually(() => seen.length >= 400, { timeoutMs: 20_000 });
    // One more per round: 1, 2, 3, ... at once, so that the 66th request is the first to meet eleven others.
    for (const [index, atOnce] of seen.entries()) expect(atOnce).toBeLessThanOrEqual(2 + Math.sqrt(2 * (index + 1)));
    expect(Math.max(...seen)).toBeGreaterThan(10);
  });

  it('closes at once when the URL is edited, and an attempt under way to the old URL does not count', async () => {
    receiver.respondWith((_request, response) => void response.writeHead(500).end());
    await suite.startDispatcher({ WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '2' });
    const endpoint = await suite.addEndpoint(receiver.url);
    for (let index = 0; index < 4; index += 1) await suite.emit(endpoint.accountId);
    await eventually(async () => (await state(endpoint.id)).circuit_state === 'open');

    const replacement = await startHttpReceiver();
    await suite.write((trx, hints) =>
      updateEndpoint(trx, hints, {
        accountId: endpoint.accountId,
        endpointId: endpoint.id,
        patch: { url: replacement.url },
      }),
    );
    expect((await state(endpoint.id)).circuit_state).toBe('closed');
    await replacement.waitForRequests(1);
    const [delivery] = await suite.list({ accountId: endpoint.accountId });
    const { breakerMoves } = await suite.read(endpoint.accountId, delivery!.id);
    expect(breakerMoves.map((move) => move.reason)).toEqual(['failures', 'endpoint_changed']);
    await replacement.close();
  });

  it('does not let the outcome of an old URL open the breaker of the new one', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.respondWith(async (_request, response) => {
      await held;
      response.writeHead(500).end();
    });
    await suite.startDispatcher({ WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '1' });
    const endpoint = await suite.addEndpoint(receiver.url);
    const [deliveryId] = await suite.emit(endpoint.accountId);
    await receiver.waitForRequests(1);
    const patch = { url: `${receiver.url}/new` };
    await suite.write((trx, hints) =>
      updateEndpoint(trx, hints, { accountId: endpoint.accountId, endpointId: endpoint.id, patch }),
    );
    release();
    await eventually(async () => (await suite.read(endpoint.accountId, deliveryId!)).attempts.length === 1);
    expect(await state(endpoint.id)).toEqual({ circuit_state: 'closed', consecutive_failures: 0 });
  });
});

describe('endpoint changes', () => {
  const secretBox = createSecretBox(SECRET_KEY, 'webhook-endpoint');
  const key = (endpoint: { accountId: string; id: string }) => ({
    accountId: endpoint.accountId,
    endpointId: endpoint.id,
  });

  it('holds the deliveries of an inactive endpoint untouched and sends them once it is active, without waiting for the poll', async () => {
    const endpoint = await suite.addEndpoint(receiver.url);
    await suite.write((trx, hints) => updateEndpoint(trx, hints, { ...key(endpoint), patch: { active: false } }));
    const [held] = await suite.emit(endpoint.accountId);
    const other = await suite.addEndpoint(`${receiver.url}/other`);
    await suite.startDispatcher(NO_POLL);
    await suite.emit(other.accountId);
    await receiver.waitForRequests(1);
    expect((await suite.read(endpoint.accountId, held!)).delivery).toMatchObject({
      status: 'pending',
      attemptCount: 0,
    });
    await suite.write((trx, hints) => updateEndpoint(trx, hints, { ...key(endpoint), patch: { active: true } }));
    const requests = await receiver.waitForRequests(2);
    expect(requests[1]!.headers['x-service-delivery-id']).toBe(held);
  });

  it('ends a delivery of a deleted endpoint as cancelled even when its post is answered later', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.respondWith(async (_request, response) => {
      await held;
      response.writeHead(200).end();
    });
    const dispatcher = await suite.startDispatcher();
    const endpoint = await suite.addEndpoint(receiver.url);
    const [deliveryId] = await suite.emit(endpoint.accountId);
    await receiver.waitForRequests(1);
    await suite.write((trx) => deleteEndpoint(trx, key(endpoint)));
    release();
    await dispatcher.stop();
    const { delivery, attempts } = await suite.read(endpoint.accountId, deliveryId!);
    expect(delivery).toMatchObject({ status: 'cancelled', deliveredAt: null });
    expect(attempts).toEqual([]);
    expect(await suite.list({ accountId: endpoint.accountId })).toHaveLength(1);
  });

  it('signs with both secrets during an overlap and only with the new one without', async () => {
    await suite.startDispatcher();
    const endpoint = await suite.addEndpoint(receiver.url);
    const rotate = async (overlapSeconds: number) => {
      const rotated = await suite.write((trx) =>
        rotateEndpointSecret(trx, { ...key(endpoint), overlapSeconds }, secretBox),
      );
      if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
      return rotated.secret;
    };
    const second = await rotate(3600);
    await suite.emit(endpoint.accountId);
    const [during] = await receiver.waitForRequests(1);
    verify(during!, endpoint.secret);
    verify(during!, second);
    expect(String(during!.headers['x-service-signature']).match(/v1=/g)).toHaveLength(2);

    const third = await rotate(0);
    await suite.emit(endpoint.accountId);
    const after = (await receiver.waitForRequests(2))[1]!;
    verify(after, third);
    expect(String(after.headers['x-service-signature']).match(/v1=/g)).toHaveLength(1);
    expect(() => verify(after, second)).toThrow();
  });

  it('delivers a test send past the filter, and a replay as a new generation with the same bytes', async () => {
    await suite.startDispatcher();
    const endpoint = await suite.addEndpoint(receiver.url, ['policy.denied']);
    const test = { ...key(endpoint), requestedByUserId: null, now: new Date() };
    const sent = await suite.write((trx, hints) => sendTestEvent(trx, hints, test, { maxPendingPerAccount: 10 }));
    if (sent.kind !== 'emitted') throw new Error(sent.kind);
    const [first] = await receiver.waitForRequests(1);
    expect(first!.headers['x-service-event-type']).toBe('webhook.test');
    await eventually(
      async () => (await suite.list({ accountId: endpoint.accountId, status: 'delivered' })).length === 1,
    );

    const replay = () =>
      suite.write((trx, hints) =>
        replayEvent(trx, hints, { accountId: endpoint.accountId, eventId: sent.eventId }, { maxPendingPerAccount: 10 }),
      );
    const [one, two] = await Promise.all([replay(), replay()]);
    expect([one, two]).toMatchObject([{ kind: 'replayed' }, { kind: 'replayed' }]);
    const requests = await receiver.waitForRequests(3);
    expect(new Set(requests.map((request) => request.headers['x-service-event-id']))).toEqual(new Set([sent.eventId]));
    expect(new Set(requests.map((request) => request.headers['x-service-delivery-id'])).size).toBe(3);
    expect(requests[1]!.body.equals(first!.body)).toBe(true);
    const generations = (await suite.list({ accountId: endpoint.accountId })).map((delivery) => delivery.generation);
    expect(generations.sort()).toEqual([1, 2, 3]);
  });
});

describe('approval workflows', () => {
  it('get their events with the same headers and signature, and the acceptance is reported when a receiver was down first', async () => {
    let down = true;
    receiver.respondWith((_request, response) => void response.writeHead(down ? 503 : 200).end());
    const reported: Acceptance[] = [];
    await suite.startDispatcher(
      {},
      { ...FAST_SCHEDULE, reportAcceptances: async (_trx, acceptances) => void reported.push(...acceptances) },
    );
    const key = { accountId: newId(), workflowId: newId() };
    const { secret } = await suite.write((trx, hints) =>
      saveWorkflowEndpoints(
        trx,
        hints,
        { ...key, urls: [receiver.url] },
        createSecretBox(SECRET_KEY, 'webhook-endpoint'),
      ),
    );
    const id = newId();
    const data = EVENT_TYPES['approval.created'].example as unknown as EventData<'approval.created'>;
    const event = { type: 'approval.created' as const, id, occurredAt: new Date(), data, ...key };
    await suite.write((trx, hints) => emitEvent(trx, hints, event, { maxPendingPerAccount: 10 }));
    await receiver.waitForRequests(1);
    expect(reported).toEqual([]);
    down = false;
    const requests = await receiver.waitForRequests(2);
    expect(verify(requests.at(-1)!, secret!)).toMatchObject({ id, type: 'approval.created' });
    await eventually(() => reported.length > 0);
    expect(reported).toMatchObject([{ ...key, eventId: id, acceptedAt: expect.any(Date) }]);
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
