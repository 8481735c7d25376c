import { beginTrace } from '@steward/crypto';
import { findRecoveryJob, requestRecovery } from '@steward/webhooks';
import { captureOutput, eventually } from '@steward/testing';
import { FAST_SCHEDULE, NO_POLL, useDispatching } from './testing/use-dispatching.ts';
import { verifyRequest } from './testing/verify-request.ts';

const output = captureOutput();
const dispatching = useDispatching();

/**
 * Returns the result of one attempt, and the delay until the next planned one: relative to its start, which is at least
 * the delay, and relative to when its end was detected, which is at most the delay, however long either took.
 */
async function readFirstAttempt() {
  await dispatching.suite.startDispatcher();
  const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
  const [deliveryId] = await dispatching.suite.emit(endpoint.accountId);
  const { delivery, attempts } = await eventually(async () => {
    const found = await dispatching.suite.read(endpoint.accountId, deliveryId!);
    return found.delivery.attemptCount === 1 ? found : undefined;
  });
  const seenAt = Date.now();
  const next = delivery.nextAttemptAt!.getTime();
  return { delivery, afterStartMs: next - attempts[0]!.startedAt.getTime(), afterEndMs: next - seenAt };
}

describe('retrying', () => {
  it('repeats a failed delivery on the schedule with the same ids and bytes, and marks it dead after the sixth attempt (HOOK-20, HOOK-21, EVT-6)', async () => {
    dispatching.receiver.respondWith((_request, response) => void response.writeHead(500).end('no'));
    await dispatching.suite.startDispatcher({}, FAST_SCHEDULE);
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const [deliveryId] = await dispatching.suite.emit(endpoint.accountId);
    const requests = await dispatching.receiver.waitForRequests(6);
    expect(requests.map((request) => request.headers['x-service-attempt'])).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(new Set(requests.map((request) => request.body.toString())).size).toBe(1);
    expect(new Set(requests.map((request) => request.headers['x-service-delivery-id'])).size).toBe(1);
    for (const request of requests) verifyRequest(request, endpoint.secret);
    const dead = await eventually(
      async () => (await dispatching.suite.list({ accountId: endpoint.accountId, status: 'dead' }))[0],
    );
    expect(dead).toMatchObject({ id: deliveryId, attemptCount: 6, responseStatus: 500, lastError: 'HTTP 500' });
    const { attempts } = await dispatching.suite.read(endpoint.accountId, deliveryId!);
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

  it('schedules the next attempt within the window of the default schedule', async () => {
    dispatching.receiver.respondWith((_request, response) => void response.writeHead(503).end());
    const { delivery, afterStartMs, afterEndMs } = await readFirstAttempt();
    expect(afterStartMs).toBeGreaterThanOrEqual(7900);
    expect(afterEndMs).toBeLessThanOrEqual(12_000);
    expect(delivery.status).toBe('pending');
  });

  it.each<[string, string, number, number]>([
    ['later than the schedule is followed', '120', 119_000, 120_000],
    ['ten years in the future counts as an hour', '315360000', 3_599_000, 3_600_000],
    ['earlier than the schedule changes nothing', '1', 7900, 12_000],
    ['that is invalid changes nothing', 'in a while', 7900, 12_000],
  ])('a Retry-After %s', async (_name, header, leastMs, mostMs) => {
    dispatching.receiver.respondWith(
      (_request, response) => void response.writeHead(429, { 'retry-after': header }).end(),
    );
    const { afterStartMs, afterEndMs } = await readFirstAttempt();
    expect(afterStartMs).toBeGreaterThanOrEqual(leastMs);
    expect(afterEndMs).toBeLessThanOrEqual(mostMs);
  });

  it('counts a 2xx with an endless body as delivered and frees the slot immediately', async () => {
    let sentBytes = 0;
    dispatching.receiver.respondWith((_request, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(16_384, 'x');
      const push = (): void => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.byteLength;
        if (!response.destroyed) response.once('drain', push);
      };
      push();
    });
    await dispatching.suite.startDispatcher({ WEBHOOK_DELIVERY_CONCURRENCY: '1' });
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    for (let index = 0; index < 10; index += 1) await dispatching.suite.emit(endpoint.accountId);
    // If each attempt waited for its timeout, it would take a minute, and ten of them would take longer than this test
    // waits.
    await eventually(
      async () => (await dispatching.suite.list({ accountId: endpoint.accountId, status: 'delivered' })).length === 10,
    );
    expect(sentBytes).toBeLessThan(10 * 4 * 1024 * 1024);
  });
});

describe('recovery', () => {
  it('sends dead deliveries again with the same bytes once the receiver recovers, without another message or a poll', async () => {
    dispatching.receiver.respondWith((_request, response) => void response.writeHead(500).end());
    await dispatching.suite.startDispatcher(
      { ...NO_POLL, WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '1000', LOG_LEVEL: 'warn' },
      { retryDelaysSeconds: [] },
    );
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const { accountId } = endpoint;
    const since = new Date(Date.now() - 1000);
    for (let index = 0; index < 10; index += 1) await dispatching.suite.emit(accountId);
    await eventually(async () => (await dispatching.suite.list({ accountId, status: 'dead' })).length === 10);
    const first = new Map(
      dispatching.receiver.requests.map((request) => [request.headers['x-service-event-id'], request.body]),
    );

    dispatching.receiver.respondWith((_request, response) => void response.writeHead(200).end());
    const scope = { accountId, endpointId: endpoint.id, since, until: new Date() };
    const accepted = await dispatching.suite.write((trx) =>
      requestRecovery(trx, { ...scope, traceparent: beginTrace() }, { dryRun: false }),
    );
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
    expect([accepted.matched, accepted.queued]).toEqual([10, 10]);
    const again = (await dispatching.receiver.waitForRequests(20)).slice(10);
    for (const request of again) expect(request.body).toEqual(first.get(request.headers['x-service-event-id']));
    expect(new Set(again.map((request) => request.headers['x-service-event-id'])).size).toBe(10);
    await eventually(async () => (await dispatching.suite.list({ accountId, status: 'delivered' })).length === 10);
    expect(await dispatching.suite.list({ accountId, status: 'dead' })).toHaveLength(10);
    const job = await findRecoveryJob(dispatching.suite.db, accountId, accepted.jobId!);
    expect(job).toMatchObject({ matched: 10, queued: 10, finishedAt: expect.any(Date) });
    // If the look for recoveries failed, they would begin all the same.
    expect(output()).not.toContain('background_task.failed');
  });
});
