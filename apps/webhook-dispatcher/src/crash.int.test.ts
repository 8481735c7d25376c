import { systemClock } from '@steward/async';
import { eventually } from '@steward/testing';
import { useDispatching } from './testing/use-dispatching.ts';

const dispatching = useDispatching();

const header = (name: string) => dispatching.receiver.requests.map((request) => String(request.headers[name]));
const isFinished = async (accountId: string, count: number) =>
  (await dispatching.suite.list({ accountId, status: 'delivered' })).length === count;
async function countUnclaimed(accountId: string): Promise<number> {
  const { rows } = await dispatching.suite.query(
    'select count(*)::int as n from webhooks.delivery where account_id = $1 and claim_token is null',
    [accountId],
  );
  return (rows[0] as { n: number }).n;
}
async function readCounters(endpointId: string, accountId: string) {
  const { rows } = await dispatching.suite.query(
    `select e.consecutive_failures as failures, e.circuit_state as state,
       (select sum(pending)::int from webhooks.outbox_shard where account_id = $2) as pending
     from webhooks.endpoint e where e.id = $1`,
    [endpointId, accountId],
  );
  return rows[0] as { failures: number; state: string; pending: number };
}

describe('a dispatcher that is killed', () => {
  it('between its request and storing the outcome sends again with the same ids and attempt number, counted once (HOOK-22)', async () => {
    // The receiver does not respond, so that the dispatcher that posts first is killed while it waits.
    dispatching.receiver.respondWith(() => undefined);
    const killed = await dispatching.suite.startProcess();
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const [deliveryId] = await dispatching.suite.emit(endpoint.accountId);
    await dispatching.receiver.waitForRequests(1);
    await killed.kill();
    dispatching.receiver.respondWith((_request, response) => void response.writeHead(200).end());
    await dispatching.suite.startDispatcher();
    // The lease has not expired: no other dispatcher takes it.
    expect((await dispatching.suite.list({ accountId: endpoint.accountId, status: 'pending' })).length).toBe(1);
    await dispatching.suite.endLeases();
    await dispatching.receiver.waitForRequests(2);
    for (const name of ['x-service-event-id', 'x-service-delivery-id', 'x-service-attempt']) {
      expect(new Set(header(name)).size).toBe(1);
    }
    const times = header('x-service-signature').map((value) => Number(/^t=(\d+)/.exec(value)?.[1]));
    expect(times[1]).toBeGreaterThanOrEqual(times[0]!);
    await eventually(() => isFinished(endpoint.accountId, 1));
    const { delivery, attempts } = await dispatching.suite.read(endpoint.accountId, deliveryId!);
    expect([delivery.attemptCount, attempts.map((attempt) => attempt.number)]).toEqual([1, [1]]);
    expect(await readCounters(endpoint.id, endpoint.accountId)).toEqual({ failures: 0, state: 'closed', pending: 0 });
  });

  it('during many requests while another one runs loses nothing, and delays only the rows that it had claimed', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    dispatching.receiver.respondWith(async (_request, response) => {
      await held;
      response.writeHead(200).end();
    });
    const [killed] = [await dispatching.suite.startProcess(), await dispatching.suite.startProcess()];
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    await Promise.all(Array.from({ length: 40 }, () => dispatching.suite.emit(endpoint.accountId)));
    // Each dispatcher sends two requests: an unproven endpoint gets no more at once.
    await dispatching.receiver.waitForRequests(4);
    await killed.kill();
    release();
    const other = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    await dispatching.suite.emit(other.accountId);
    await eventually(() => isFinished(other.accountId, 1));
    await eventually(() => isFinished(endpoint.accountId, 38));
    await dispatching.suite.endLeases();
    await eventually(() => isFinished(endpoint.accountId, 40));
    const ids = new Set(header('x-service-delivery-id'));
    expect(ids.size).toBe(41);
    // Only the killed dispatcher's pending requests arrive twice.
    expect(dispatching.receiver.requests).toHaveLength(41 + 2);
    expect((await readCounters(endpoint.id, endpoint.accountId)).pending).toBe(0);
  });
});

describe('a dispatcher that was suspended beyond its lease', () => {
  it('has no effect with its late outcome: the delivery remains delivered, and the breaker and the counter remain correct (HOOK-25)', async () => {
    const release = dispatching.holdAnswers();
    const sleeper = await dispatching.suite.startProcess();
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const [deliveryId] = await dispatching.suite.emit(endpoint.accountId);
    await dispatching.receiver.waitForRequests(1);
    sleeper.pause();
    dispatching.receiver.respondWith((_request, response) => void response.writeHead(200).end());
    await dispatching.suite.startDispatcher();
    await dispatching.suite.endLeases();
    await eventually(() => isFinished(endpoint.accountId, 1));
    release();
    sleeper.resume();
    await eventually(() => sleeper.readOutput().includes('delivery.outcome_discarded'));
    const { delivery, attempts } = await dispatching.suite.read(endpoint.accountId, deliveryId!);
    expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 1, responseStatus: 200 });
    expect(attempts).toHaveLength(1);
    expect(await readCounters(endpoint.id, endpoint.accountId)).toEqual({ failures: 0, state: 'closed', pending: 0 });
  });
});

describe('an outage', () => {
  it('does not stop deliveries if the broker is down: events are delivered by polling, health reports degraded, and messages work again after recovery', async () => {
    const { healthPort } = await dispatching.suite.startDispatcher();
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const health = async () => {
      const response = await fetch(`http://127.0.0.1:${healthPort}/api/v1/health`);
      return [response.status, ((await response.json()) as { status: string }).status];
    };
    expect(await health()).toEqual([200, 'healthy']);
    await dispatching.suite.broker.kill();
    await dispatching.suite.emit(endpoint.accountId);
    await dispatching.receiver.waitForRequests(1);
    await eventually(async () => (await health())[1] === 'degraded');
    expect((await health())[0]).toBe(200);
    await dispatching.suite.broker.restart();
    await eventually(async () => (await health())[1] === 'healthy');
    const countMessages = async (): Promise<number> => {
      const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
      const lines = metrics.matchAll(/^steward_messages_handled_total\{[^}]*outcome="ok"[^}]*\} (\d+)$/gm);
      return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const handled = await countMessages();
    // The poll also finds emitted deliveries, so only the dispatcher's message counter shows what woke it.
    await eventually(async () => {
      await dispatching.suite.emit(endpoint.accountId);
      return (await countMessages()) > handled;
    });
  });

  it('does not lose or repeat outcomes if database connections are terminated repeatedly (PROC-9)', async () => {
    const child = await dispatching.suite.startProcess();
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const { accountId } = endpoint;
    let cut = 0;
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(Array.from({ length: 20 }, () => dispatching.suite.emit(accountId)));
      const { rows } = await dispatching.suite.query(
        `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
         where datname = current_database() and application_name = 'steward-webhook-dispatcher'`,
        [],
      );
      cut += (rows[0] as { n: number }).n;
    }
    expect(cut).toBeGreaterThan(0);
    // If the result of a claim was lost, the claimed rows wait until their leases expire. Ending that lease affects no
    // live dispatcher.
    await eventually(async () => (await countUnclaimed(accountId)) === 0);
    expect(child.readOutput()).not.toContain('service.crashed');
    await child.kill();
    await dispatching.suite.endLeases();
    await dispatching.suite.startDispatcher();
    await eventually(() => isFinished(accountId, 120));
    expect(new Set(header('x-service-delivery-id')).size).toBe(120);
    const { rows } = await dispatching.suite.query(
      `select max(n)::int as most from (
         select count(*) as n from webhooks.attempt where account_id = $1 group by delivery_id, number
       ) a`,
      [accountId],
    );
    expect(rows[0]).toEqual({ most: 1 });
    expect((await readCounters(endpoint.id, accountId)).pending).toBe(0);
  });
});

it('a dispatcher works with a pool of one connection', async () => {
  await dispatching.suite.startDispatcher({ DATABASE_POOL_SIZE: '1' });
  const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
  await Promise.all(Array.from({ length: 60 }, () => dispatching.suite.emit(endpoint.accountId)));
  await eventually(() => isFinished(endpoint.accountId, 60));
  expect(dispatching.receiver.requests).toHaveLength(60);
});

describe('a wrong clock', () => {
  it.each([301, -301])(
    'prevents the start of the dispatcher if it differs by %i seconds, because receivers would refuse it',
    async (seconds) => {
      const clock = { now: () => new Date(systemClock.now().getTime() + seconds * 1000) };
      // The precision of the database time depends on the round trip: on a busy machine the measurement is repeated.
      await eventually(async () => {
        await expect(dispatching.suite.startDispatcher({}, { clock })).rejects.toThrow(
          /clock of this machine is -?301 s/,
        );
        return true;
      });
    },
  );
});
