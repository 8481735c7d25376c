import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@steward/crypto';
import { replayEvent } from '@steward/webhooks';
import { eventually, startHttpReceiver, type ReceivedRequest } from '@steward/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { useDispatching } from './testing/use-dispatching.ts';

const dispatching = useDispatching();

const findAttempt = (accountId: string, deliveryId: string) =>
  eventually(async () => (await dispatching.suite.read(accountId, deliveryId)).attempts[0]);

function verify(request: ReceivedRequest, secret: string): unknown {
  return new StandardWebhook(secret).verify(request.body.toString(), request.headers as Record<string, string>);
}

describe('receivers that redirect', () => {
  it.each([300, 301, 302, 303, 304, 307, 308])(
    'with %i count as failed, and the redirect target receives nothing',
    async (status) => {
      const other = await startHttpReceiver();
      dispatching.receiver.respondWith(
        (_request, response) => void response.writeHead(status, { location: other.url }).end(),
      );
      await dispatching.suite.startDispatcher();
      const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
      const [deliveryId] = await dispatching.suite.emit(endpoint.accountId);
      expect(await findAttempt(endpoint.accountId, deliveryId!)).toMatchObject({
        responseStatus: status,
        errorClass: 'redirect',
      });
      expect(other.requests).toHaveLength(0);
      await other.close();
    },
  );
});

describe('the response of a receiver', () => {
  it('is stored for an endpoint that requests it, as text with credentials removed (HOOK-44)', async () => {
    const { suite, receiver } = dispatching;
    const token = `ghp_${'a1B2'.repeat(9)}`;
    receiver.respondWith((_request, response) => void response.writeHead(422).end(`no order 4711\u0000 for ${token}`));
    await suite.startDispatcher();
    const endpoint = await suite.addEndpoint(receiver.url);
    const [before] = await suite.emit(endpoint.accountId);
    expect(await findAttempt(endpoint.accountId, before!)).toMatchObject({ responseStatus: 422, answer: null });
    await suite.updateEndpoint(endpoint, { keepsAnswers: true });
    const [after] = await suite.emit(endpoint.accountId);
    const { answer } = (await findAttempt(endpoint.accountId, after!))!;
    expect(answer).toMatch(/^no order 4711\uFFFD for /);
    expect(answer).not.toContain(token);
    receiver.respondWith((_request, response) => void response.writeHead(422).end(Buffer.from([0xff, 0xfe, 0x41])));
    const [binary] = await suite.emit(endpoint.accountId);
    expect(await findAttempt(endpoint.accountId, binary!)).toMatchObject({ responseStatus: 422, answer: null });
  });
});

describe('slow and dead receivers', () => {
  it('do not affect others: fast receivers get everything while five hang, one is slow and one fails (HOOK-24)', async () => {
    const bad = [...Array.from({ length: 5 }, (_item, index) => `/hangs-${index}`), '/slow', '/fails'];
    const healthy = Array.from({ length: 5 }, (_item, index) => `/healthy-${index}`);
    // No hanging request ends before the last round, so a request that waited for one of their slots would wait
    // forever.
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    dispatching.receiver.respondWith(async (request, response) => {
      if (request.path.startsWith('/hangs')) await held;
      if (request.path === '/slow') await delay(2500);
      response.writeHead(request.path === '/fails' ? 500 : 200).end();
    });
    await dispatching.suite.startDispatcher({
      WEBHOOK_DELIVERY_TIMEOUT_SECONDS: '120',
      WEBHOOK_DELIVERY_CONCURRENCY: '8',
    });
    const accountId = newId();
    for (const path of [...bad, ...healthy]) {
      await dispatching.suite.addEndpoint(`${dispatching.receiver.url}${path}`, [], accountId);
    }
    for (let round = 0; round < 60; round += 1) {
      const id = newId();
      await dispatching.suite.emit(accountId, id);
      await eventually(() => {
        const arrived = dispatching.receiver.requests.filter(
          (request) => request.headers['x-service-event-id'] === id && request.path.startsWith('/healthy'),
        );
        return arrived.length === healthy.length;
      });
    }
    release();
  });
});

describe('blocked private targets', () => {
  const guarded = { WEBHOOK_BLOCK_PRIVATE_TARGETS: 'true' };

  it('receive nothing on this machine, not even at the dispatcher itself, and the reason is recorded (HOOK-7)', async () => {
    const { healthPort } = await dispatching.suite.startDispatcher(guarded);
    for (const url of [
      dispatching.receiver.url,
      `http://localhost:${dispatching.receiver.port}/`,
      `http://127.0.0.1:${healthPort}/metrics`,
    ]) {
      const endpoint = await dispatching.suite.addEndpoint(url);
      const [deliveryId] = await dispatching.suite.emit(endpoint.accountId);
      expect(await findAttempt(endpoint.accountId, deliveryId!)).toMatchObject({
        errorClass: 'target_blocked',
        error: 'the target address is loopback',
        remoteAddress: null,
      });
    }
    expect(dispatching.receiver.requests).toHaveLength(0);
  });

  it('receive deliveries if they are in the networks of WEBHOOK_ALLOWED_PRIVATE_CIDRS', async () => {
    await dispatching.suite.startDispatcher({ ...guarded, WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8' });
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    await dispatching.suite.emit(endpoint.accountId);
    await dispatching.receiver.waitForRequests(1);
  });
});

describe('event bodies', () => {
  it('above 64 KB are replaced by a truncation marker with the same six keys, which is also signed (EVT-1, EVT-7)', async () => {
    await dispatching.suite.startDispatcher();
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    await dispatching.suite.emitChanged(endpoint.accountId, 'policy.denied', { rule_description: '😀'.repeat(20_000) });
    const [request] = await dispatching.receiver.waitForRequests(1);
    const body = verify(request!, endpoint.secret) as { data: object };
    expect(Object.keys(body)).toEqual(['id', 'type', 'version', 'occurred_at', 'account_id', 'data']);
    expect(body.data).toEqual({ truncated: true, reason: expect.stringMatching(/\d+ bytes/) });
    expect(request!.body.byteLength).toBeLessThan(1000);
  });

  it('with any content have the same bytes in all six attempts and in a replay, and can be verified (EVT-6)', async () => {
    dispatching.receiver.respondWith((_request, response) => void response.writeHead(500).end());
    await dispatching.suite.startDispatcher(
      { WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '100' },
      { retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05] },
    );
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const { accountId } = endpoint;
    const text = '😀 \ud800 \udfff \u0000 \u2028 "quoted" \\ </script> é e\u0301 ' + String.fromCharCode(0x7f);
    const limits = { limit_amount: 1e21, spent_amount: -0, percent_used: 1e-7 };
    await dispatching.suite.emitChanged(accountId, 'agent.note_sent', { text });
    await dispatching.suite.emitChanged(accountId, 'budget.threshold', limits);
    await eventually(async () => (await dispatching.suite.list({ accountId, status: 'dead' })).length === 2);
    for (const delivery of await dispatching.suite.list({ accountId })) {
      await dispatching.suite.write((trx, hints) =>
        replayEvent(trx, hints, { accountId, eventId: delivery.eventId }, { maxPendingPerAccount: 10 }),
      );
    }
    await eventually(async () => (await dispatching.suite.list({ accountId, status: 'dead' })).length === 4);
    const bodies = new Map<string, Set<string>>();
    for (const request of dispatching.receiver.requests) {
      verify(request, endpoint.secret);
      const id = String(request.headers['x-service-event-id']);
      bodies.set(id, (bodies.get(id) ?? new Set()).add(request.body.toString('hex')));
    }
    expect(dispatching.receiver.requests).toHaveLength(24);
    expect([...bodies.values()].map((seen) => seen.size)).toEqual([1, 1]);
  });
});
