import { newId } from '@steward/crypto';
import { startHttpReceiver, eventually, type HttpReceiver } from '@steward/testing';
import { startDispatching, type Dispatching } from './testing/start-dispatching.ts';

let suite: Dispatching;
let receiver: HttpReceiver;

beforeAll(async () => {
  suite = await startDispatching();
  receiver = await startHttpReceiver((request, response) => {
    response.writeHead(request.path === '/bad' ? 500 : 200).end();
  });
});
afterAll(async () => {
  await suite.close();
  await receiver.close();
});

/** Returns the samples of the dispatcher's `/metrics`, without the common label. */
async function readMetrics(healthPort: number): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
  const samples = text.split('\n').filter((line) => line.startsWith('steward_webhook_'));
  return new Map(
    samples.map((line) => {
      const at = line.lastIndexOf(' ');
      const name = line
        .slice(0, at)
        .replace(/,?service="webhook-dispatcher"/, '')
        .replace('{}', '');
      return [name, Number(line.slice(at + 1))];
    }),
  );
}

describe('the metrics of the dispatcher', () => {
  it('count attempts by class, measure their duration, and include breakers, the oldest due delivery, the usage per account and refusals', async () => {
    const good = await suite.addEndpoint(`${receiver.url}/good`);
    const bad = await suite.addEndpoint(`${receiver.url}/bad`);
    const held = await suite.addEndpoint(receiver.url);
    await suite.updateEndpoint(held, { active: false });
    for (let index = 0; index < 3; index += 1) await suite.emit(held.accountId);
    await suite.query('update webhooks.outbox_counter set refused_count = 4 where account_id = $1', [held.accountId]);
    const environment = { WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '2', WEBHOOK_MAX_PENDING_PER_ACCOUNT: '10' };
    // The gauges are read at startup and every 15 seconds, so their data is created before the second dispatcher
    // starts.
    const first = await suite.startDispatcher(environment);
    await suite.emit(good.accountId, newId());
    for (let index = 0; index < 2; index += 1) await suite.emit(bad.accountId);
    await eventually(async () => {
      const metrics = await readMetrics(first.healthPort);
      return metrics.get('steward_webhook_breaker_moves_total{to="open"}') === 1;
    });
    await eventually(async () => (await suite.list({ accountId: good.accountId, status: 'delivered' })).length === 1);
    const attempts = await readMetrics(first.healthPort);
    expect(attempts.get('steward_webhook_attempts_total{result="delivered",error_class="none"}')).toBe(1);
    expect(attempts.get('steward_webhook_attempts_total{result="failed",error_class="http_status"}')).toBe(2);
    expect(attempts.get('steward_webhook_attempt_duration_seconds_count')).toBe(3);
    expect(attempts.get('steward_webhook_publish_to_delivered_seconds_count')).toBe(1);
    expect(attempts.get('steward_webhook_publish_to_delivered_seconds_sum')).toBeGreaterThan(0);

    const second = await suite.startDispatcher(environment);
    const gauges = await eventually(async () => {
      const found = await readMetrics(second.healthPort);
      return found.has('steward_webhook_breakers{state="open"}') ? found : undefined;
    });
    expect(gauges.get('steward_webhook_breakers{state="open"}')).toBe(1);
    expect(gauges.get('steward_webhook_breakers{state="closed"}')).toBe(2);
    expect(gauges.get('steward_webhook_pending_deliveries')).toBe(5);
    expect(gauges.get('steward_webhook_oldest_due_seconds')).toBe(0);
    expect(gauges.get('steward_webhook_refused_events_total')).toBe(4);
    expect(gauges.get('steward_webhook_recoveries_running')).toBe(0);
    expect(gauges.get(`steward_webhook_outbox_fill_ratio{account_id="${held.accountId}"}`)).toBeCloseTo(0.3);
    expect(gauges.get(`steward_webhook_outbox_fill_ratio{account_id="${bad.accountId}"}`)).toBeCloseTo(0.2);
    expect(gauges.has(`steward_webhook_outbox_fill_ratio{account_id="${good.accountId}"}`)).toBe(false);
  });
});
