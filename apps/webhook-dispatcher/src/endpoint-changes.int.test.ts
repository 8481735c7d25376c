import { EVENT_TYPES, type EventData } from '@steward/contracts';
import { createSecretBox, newId } from '@steward/crypto';
import {
  deleteEndpoint,
  emitEvent,
  replayEvent,
  rotateEndpointSecret,
  reportWorkflowDeliveries,
  saveWorkflowEndpoints,
  sendTestEvent,
  type WorkflowDelivery,
} from '@steward/webhooks';
import { eventually } from '@steward/testing';
import { FAST_SCHEDULE, NO_POLL, useDispatching } from './testing/use-dispatching.ts';
import { verifyRequest } from './testing/verify-request.ts';

const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';

const dispatching = useDispatching();

describe('endpoint changes', () => {
  const secretBox = createSecretBox(SECRET_KEY, 'webhook-endpoint');
  const key = (endpoint: { accountId: string; id: string }) => ({
    accountId: endpoint.accountId,
    endpointId: endpoint.id,
  });

  it('hold the deliveries of an inactive endpoint and send them once it is active, without waiting for the poll (HOOK-9)', async () => {
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    await dispatching.suite.updateEndpoint(endpoint, { active: false });
    const [held] = await dispatching.suite.emit(endpoint.accountId);
    const other = await dispatching.suite.addEndpoint(`${dispatching.receiver.url}/other`);
    await dispatching.suite.startDispatcher(NO_POLL);
    await dispatching.suite.emit(other.accountId);
    await dispatching.receiver.waitForRequests(1);
    expect((await dispatching.suite.read(endpoint.accountId, held!)).delivery).toMatchObject({
      status: 'pending',
      attemptCount: 0,
    });
    await dispatching.suite.updateEndpoint(endpoint, { active: true });
    const requests = await dispatching.receiver.waitForRequests(2);
    expect(requests[1]!.headers['x-service-delivery-id']).toBe(held);
  });

  it('end a delivery of a deleted endpoint as cancelled even if the response to its request arrives later (HOOK-10)', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    dispatching.receiver.respondWith(async (_request, response) => {
      await held;
      response.writeHead(200).end();
    });
    const dispatcher = await dispatching.suite.startDispatcher();
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const [deliveryId] = await dispatching.suite.emit(endpoint.accountId);
    await dispatching.receiver.waitForRequests(1);
    await dispatching.suite.write((trx) => deleteEndpoint(trx, key(endpoint)));
    release();
    await dispatcher.stop();
    const { delivery, attempts } = await dispatching.suite.read(endpoint.accountId, deliveryId!);
    expect(delivery).toMatchObject({ status: 'cancelled', deliveredAt: null });
    expect(attempts).toEqual([]);
    expect(await dispatching.suite.list({ accountId: endpoint.accountId })).toHaveLength(1);
  });

  it('cause signatures with both secrets during an overlap, and only with the new secret after it (HOOK-11, HOOK-17)', async () => {
    await dispatching.suite.startDispatcher();
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    const rotate = async (overlapSeconds: number) => {
      const rotated = await dispatching.suite.write((trx) =>
        rotateEndpointSecret(trx, { ...key(endpoint), overlapSeconds }, secretBox),
      );
      if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
      return rotated.secret;
    };
    const second = await rotate(3600);
    await dispatching.suite.emit(endpoint.accountId);
    const [during] = await dispatching.receiver.waitForRequests(1);
    verifyRequest(during!, endpoint.secret);
    verifyRequest(during!, second);
    expect(String(during!.headers['x-service-signature']).match(/v1=/g)).toHaveLength(2);

    const third = await rotate(0);
    await dispatching.suite.emit(endpoint.accountId);
    const after = (await dispatching.receiver.waitForRequests(2))[1]!;
    verifyRequest(after, third);
    expect(String(after.headers['x-service-signature']).match(/v1=/g)).toHaveLength(1);
    expect(() => verifyRequest(after, second)).toThrow();
  });

  it('deliver a test send regardless of the filter, and a replay as a new delivery with the same bytes (HOOK-13, HOOK-35, EVT-6)', async () => {
    await dispatching.suite.startDispatcher();
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url, ['policy.denied']);
    const test = { ...key(endpoint), requestedByUserId: null, now: new Date() };
    const sent = await dispatching.suite.write((trx, hints) =>
      sendTestEvent(trx, hints, test, { maxPendingPerAccount: 10 }),
    );
    if (sent.kind !== 'emitted') throw new Error(sent.kind);
    const [first] = await dispatching.receiver.waitForRequests(1);
    expect(first!.headers['x-service-event-type']).toBe('webhook.test');
    await eventually(
      async () => (await dispatching.suite.list({ accountId: endpoint.accountId, status: 'delivered' })).length === 1,
    );

    const replay = () =>
      dispatching.suite.write((trx, hints) =>
        replayEvent(trx, hints, { accountId: endpoint.accountId, eventId: sent.eventId }, { maxPendingPerAccount: 10 }),
      );
    const [one, two] = await Promise.all([replay(), replay()]);
    expect([one, two]).toMatchObject([{ kind: 'replayed' }, { kind: 'replayed' }]);
    const requests = await dispatching.receiver.waitForRequests(3);
    expect(new Set(requests.map((request) => request.headers['x-service-event-id']))).toEqual(new Set([sent.eventId]));
    expect(new Set(requests.map((request) => request.headers['x-service-delivery-id'])).size).toBe(3);
    expect(requests[1]!.body.equals(first!.body)).toBe(true);
    const generations = (await dispatching.suite.list({ accountId: endpoint.accountId })).map(
      (delivery) => delivery.generation,
    );
    expect(generations.sort()).toEqual([1, 2, 3]);
  });
});

describe('approval workflows', () => {
  it('receive their events with the same headers and signature, and acceptance after an outage is recorded', async () => {
    const { promise: isBack, resolve: comeBack } = Promise.withResolvers<void>();
    dispatching.receiver.respondWith(async (_request, response, index) => {
      if (index > 0) await isBack;
      response.writeHead(index === 0 ? 503 : 200).end();
    });
    const reported: WorkflowDelivery[] = [];
    const report = () =>
      reportWorkflowDeliveries(dispatching.suite.db, async (_trx, deliveries) => void reported.push(...deliveries));
    await dispatching.suite.startDispatcher({}, FAST_SCHEDULE);
    const key = { accountId: newId(), workflowId: newId() };
    const { secret } = await dispatching.suite.write((trx, hints) =>
      saveWorkflowEndpoints(
        trx,
        hints,
        { ...key, urls: [dispatching.receiver.url] },
        createSecretBox(SECRET_KEY, 'webhook-endpoint'),
      ),
    );
    const id = newId();
    const data = EVENT_TYPES['approval.created'].example as unknown as EventData<'approval.created'>;
    const event = { type: 'approval.created' as const, id, occurredAt: new Date(), data, ...key };
    await dispatching.suite.write((trx, hints) => emitEvent(trx, hints, event, { maxPendingPerAccount: 10 }));
    // The second request shows that the first attempt has failed, and that it is retried.
    const requests = await dispatching.receiver.waitForRequests(2);
    expect(await report()).toBe(0);
    comeBack();
    expect(verifyRequest(requests.at(-1)!, secret!)).toMatchObject({ id, type: 'approval.created' });
    await eventually(async () => (await report()) > 0);
    expect(reported).toMatchObject([{ ...key, eventId: id, finishedAt: expect.any(Date), error: null }]);
  });
});
