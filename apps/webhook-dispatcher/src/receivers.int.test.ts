import { eventually, startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '@steward/testing';
import { newId } from '@steward/runtime';
import { replayEvent } from '@steward/slice-webhooks';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { startDispatching, type Dispatching } from './testing/start-dispatching.ts';

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

const findAttempt = (accountId: string, deliveryId: string) =>
  eventually(async () => (await suite.read(accountId, deliveryId)).attempts[0]);

function verify(request: ReceivedRequest, secret: string): unknown {
  return new StandardWebhook(secret).verify(request.body.toString(), request.headers as Record<string, string>);
}

describe('receivers that redirect', () => {
  it.each([300, 301, 302, 303, 304, 307, 308])(
    'with %i have failed, and the server they name sees nothing',
    async (status) => {
      const other = await startHttpReceiver();
      receiver.respondWith((_request, response) => void response.writeHead(status, { location: other.url }).end());
      await suite.startDispatcher();
      const endpoint = await suite.addEndpoint(receiver.url);
      const [deliveryId] = await suite.emit(endpoint.accountId);
      expect(await findAttempt(endpoint.accountId, deliveryId!)).toMatchObject({
        responseStatus: status,
        errorClass: 'redirect',
      });
      expect(other.requests).toHaveLength(0);
      await other.close();
    },
  );
});

describe('slow and dead receivers', () => {
  it('leave the others alone: quick ones get everything at once while one hangs, one is slow and one fails', async () => {
    const healthy = Array.from({ length: 5 }, (_item, index) => `/healthy-${index}`);
    receiver.respondWith((request, response) => {
      if (request.path === '/hangs') return;
      if (request.path === '/slow') return void setTimeout(() => response.writeHead(200).end(), 1900);
      response.writeHead(request.path === '/fails' ? 500 : 200).end();
    });
    await suite.startDispatcher({ WEBHOOK_DELIVERY_TIMEOUT_SECONDS: '2', WEBHOOK_DELIVERY_CONCURRENCY: '8' });
    const accountId = newId();
    for (const path of ['/hangs', '/slow', '/fails', ...healthy]) {
      await suite.addEndpoint(`${receiver.url}${path}`, [], accountId);
    }
    const waits: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      const emittedAt = Date.now();
      const id = newId();
      await suite.emit(accountId, id);
      await eventually(() => {
        const arrived = receiver.requests.filter(
          (request) => request.headers['x-service-event-id'] === id && request.path.startsWith('/healthy'),
        );
        return arrived.length === healthy.length;
      });
      waits.push(Date.now() - emittedAt);
    }
    // The first rounds pay for learning who is slow.
    const later = waits.slice(20).sort((a, b) => a - b);
    expect(later[Math.floor(later.length * 0.9)]).toBeLessThan(500);
  });
});

describe('private targets blocked', () => {
  const guarded = { WEBHOOK_BLOCK_PRIVATE_TARGETS: 'true' };

  it('posts nothing to this machine, not even to the dispatcher itself, and says why', async () => {
    const { healthPort } = await suite.startDispatcher(guarded);
    for (const url of [receiver.url, `http://localhost:${receiver.port}/`, `http://127.0.0.1:${healthPort}/metrics`]) {
      const endpoint = await suite.addEndpoint(url);
      const [deliveryId] = await suite.emit(endpoint.accountId);
      expect(await findAttempt(endpoint.accountId, deliveryId!)).toMatchObject({
        errorClass: 'target_blocked',
        error: 'the target address is loopback',
        remoteAddress: null,
      });
    }
    expect(receiver.requests).toHaveLength(0);
  });

  it('delivers to the networks of WEBHOOK_ALLOWED_PRIVATE_CIDRS', async () => {
    await suite.startDispatcher({ ...guarded, WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8' });
    const endpoint = await suite.addEndpoint(receiver.url);
    await suite.emit(endpoint.accountId);
    await receiver.waitForRequests(1);
  });
});

describe('bodies', () => {
  it('above 64 KB are replaced by the marker: still six keys, still signed', async () => {
    await suite.startDispatcher();
    const endpoint = await suite.addEndpoint(receiver.url);
    await suite.emitChanged(endpoint.accountId, 'policy.denied', { rule_description: '😀'.repeat(20_000) });
    const [request] = await receiver.waitForRequests(1);
    const body = verify(request!, endpoint.secret) as { data: object };
    expect(Object.keys(body)).toEqual(['id', 'type', 'version', 'occurred_at', 'account_id', 'data']);
    expect(body.data).toEqual({ truncated: true, reason: expect.stringMatching(/\d+ bytes/) });
    expect(request!.body.byteLength).toBeLessThan(1000);
  });

  it('of any content are the same bytes on all six attempts and on replay, and verify', async () => {
    receiver.respondWith((_request, response) => void response.writeHead(500).end());
    await suite.startDispatcher(
      { WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '100' },
      { retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05] },
    );
    const endpoint = await suite.addEndpoint(receiver.url);
    const { accountId } = endpoint;
    const text = '😀 \ud800 \udfff \u0000 \u2028 "quoted" \\ </script> é e\u0301 ' + String.fromCharCode(0x7f);
    const limits = { limit_amount: 1e21, spent_amount: -0, percent_used: 1e-7 };
    await suite.emitChanged(accountId, 'agent.note_sent', { text });
    await suite.emitChanged(accountId, 'budget.threshold', limits);
    await eventually(async () => (await suite.list({ accountId, status: 'dead' })).length === 2);
    for (const delivery of await suite.list({ accountId })) {
      await suite.write((trx, hints) =>
        replayEvent(trx, hints, { accountId, eventId: delivery.eventId }, { maxPendingPerAccount: 10 }),
      );
    }
    await eventually(async () => (await suite.list({ accountId, status: 'dead' })).length === 4);
    const bodies = new Map<string, Set<string>>();
    for (const request of receiver.requests) {
      verify(request, endpoint.secret);
      const id = String(request.headers['x-service-event-id']);
      bodies.set(id, (bodies.get(id) ?? new Set()).add(request.body.toString('hex')));
    }
    expect(receiver.requests).toHaveLength(24);
    expect([...bodies.values()].map((seen) => seen.size)).toEqual([1, 1]);
  });
});
