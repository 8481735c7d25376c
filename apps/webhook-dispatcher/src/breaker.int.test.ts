import type { ServerResponse } from 'node:http';
import { eventually, startHttpReceiver } from '@steward/testing';
import { FAST_SCHEDULE, useDispatching } from './testing/use-dispatching.ts';

const dispatching = useDispatching();

describe('the circuit breaker', () => {
  /** Simulates the passage of the cooldown. */
  const endCooldown = (id: string) =>
    dispatching.suite.query('update webhooks.endpoint set circuit_open_until = now() where id = $1', [id]);
  /** Returns true if a half-open breaker let this delivery through. */
  const isProbe = async (deliveryId: unknown) => {
    const { rows } = await dispatching.suite.query(
      'select from webhooks.endpoint e join webhooks.delivery d on d.claim_token = e.probe_token where d.id = $1',
      [deliveryId],
    );
    return rows.length > 0;
  };
  const untilNothingIsClaimed = (id: string) =>
    eventually(async () => {
      const { rows } = await dispatching.suite.query(
        'select from webhooks.delivery where endpoint_id = $1 and claim_token is not null',
        [id],
      );
      return rows.length === 0;
    });
  const state = async (id: string) => {
    const { rows } = await dispatching.suite.query(
      'select circuit_state, consecutive_failures from webhooks.endpoint where id = $1',
      [id],
    );
    return rows[0] as { circuit_state: string; consecutive_failures: number };
  };

  it('opens at the tenth failure, uses up no attempts of waiting deliveries, and allows only one probe across two dispatchers (HOOK-23, HOOK-28, HOOK-29)', async () => {
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    // The response to a probe is sent after the test has checked it; the response to any other request is sent at once.
    const probes: ServerResponse[] = [];
    dispatching.receiver.respondWith(async (request, response) => {
      if (await isProbe(request.headers['x-service-delivery-id'])) probes.push(response);
      else response.writeHead(500).end();
    });
    for (let index = 0; index < 30; index += 1) await dispatching.suite.emit(endpoint.accountId);
    await Promise.all([dispatching.suite.startDispatcher(), dispatching.suite.startDispatcher()]);
    await eventually(async () => (await state(endpoint.id)).circuit_state === 'open');
    await untilNothingIsClaimed(endpoint.id);
    await endCooldown(endpoint.id);
    await eventually(() => probes.length === 1);
    const atOpening = dispatching.receiver.requests.length - 1;
    expect(atOpening).toBeGreaterThanOrEqual(10);
    // Two dispatchers, at most two posts each to an unproven endpoint: pending posts may still arrive.
    expect(atOpening).toBeLessThanOrEqual(14);
    const waiting = await dispatching.suite.list({ accountId: endpoint.accountId, status: 'pending' });
    expect(waiting).toHaveLength(30);
    const untouched = waiting.filter((delivery) => delivery.attemptCount === 0).length;
    expect(untouched).toBeGreaterThanOrEqual(30 - atOpening - 1);
    probes[0]!.writeHead(500).end();
    await eventually(async () => (await state(endpoint.id)).circuit_state === 'open');
    await endCooldown(endpoint.id);
    await eventually(() => probes.length === 2);
    // No requests arrived except these two.
    expect(dispatching.receiver.requests).toHaveLength(atOpening + 2);

    dispatching.receiver.respondWith((_request, response) => void response.writeHead(204).end());
    probes[1]!.writeHead(204).end();
    await eventually(async () => (await state(endpoint.id)).circuit_state === 'closed');
    expect((await state(endpoint.id)).consecutive_failures).toBe(0);
    await eventually(async () => {
      const pending = await dispatching.suite.list({ accountId: endpoint.accountId, status: 'pending' });
      return pending.every((delivery) => delivery.attemptCount > 0);
    });
    const last = await dispatching.suite.read(endpoint.accountId, waiting[0]!.id);
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

  it('increases the rate to a recovered receiver gradually instead of sending the whole backlog at once', async () => {
    dispatching.receiver.respondWith((_request, response) => void response.writeHead(503).end());
    const environment = {
      WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '5',
      WEBHOOK_CIRCUIT_COOLDOWN_SECONDS: '1',
      WEBHOOK_DELIVERY_CONCURRENCY: '64',
    };
    await dispatching.suite.startDispatcher(environment, FAST_SCHEDULE);
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    await dispatching.suite.emit(endpoint.accountId);
    await eventually(async () => (await state(endpoint.id)).circuit_state === 'open');
    const emitPart = async () => {
      for (let index = 0; index < 50; index += 1) await dispatching.suite.emit(endpoint.accountId);
    };
    await Promise.all(Array.from({ length: 8 }, emitPart));
    let inFlight = 0;
    const seen: number[] = [];
    dispatching.receiver.respondWith((_request, response) => {
      inFlight += 1;
      seen.push(inFlight);
      // The delay is longer than a busy machine needs for a post, so that the limit of the endpoint is reached, and
      // shorter than the threshold for slow endpoints.
      setTimeout(() => {
        inFlight -= 1;
        response.writeHead(200).end();
      }, 200);
    });
    await eventually(() => seen.length >= 400);
    // Each round allows one more request at once: 1, 2, 3, ..., so that the 66th request is the first one with eleven
    // others in progress.
    for (const [index, atOnce] of seen.entries()) expect(atOnce).toBeLessThanOrEqual(2 + Math.sqrt(2 * (index + 1)));
    expect(Math.max(...seen)).toBeGreaterThan(10);
  });

  it('closes immediately when the URL is changed, and a running attempt to the old URL is not counted (HOOK-8)', async () => {
    dispatching.receiver.respondWith((_request, response) => void response.writeHead(500).end());
    await dispatching.suite.startDispatcher({ WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '2' });
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    for (let index = 0; index < 4; index += 1) await dispatching.suite.emit(endpoint.accountId);
    await eventually(async () => (await state(endpoint.id)).circuit_state === 'open');

    const replacement = await startHttpReceiver();
    await dispatching.suite.updateEndpoint(endpoint, { url: replacement.url });
    expect((await state(endpoint.id)).circuit_state).toBe('closed');
    await replacement.waitForRequests(1);
    const [delivery] = await dispatching.suite.list({ accountId: endpoint.accountId });
    const { breakerMoves } = await dispatching.suite.read(endpoint.accountId, delivery!.id);
    expect(breakerMoves.map((move) => move.reason)).toEqual(['failures', 'endpoint_changed']);
    await replacement.close();
  });

  it('is not opened for a new URL by the outcome of a request to the old one', async () => {
    const release = dispatching.holdAnswers();
    await dispatching.suite.startDispatcher({ WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '1' });
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const [deliveryId] = await dispatching.suite.emit(endpoint.accountId);
    await dispatching.receiver.waitForRequests(1);
    const patch = { url: `${dispatching.receiver.url}/new` };
    await dispatching.suite.updateEndpoint(endpoint, patch);
    // Lets the next attempt succeed, which on a busy machine may start before the test has checked the state.
    dispatching.receiver.respondWith((_request, response) => void response.writeHead(200).end());
    release();
    await eventually(async () => (await dispatching.suite.read(endpoint.accountId, deliveryId!)).attempts.length >= 1);
    expect(await state(endpoint.id)).toEqual({ circuit_state: 'closed', consecutive_failures: 0 });
  });
});
