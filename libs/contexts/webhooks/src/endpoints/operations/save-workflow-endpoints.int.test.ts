import { EVENT_TYPES, type EventData } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import type { WorkflowDelivery } from '../../deliveries/store/workflow-delivery.store.ts';
import { openWebhooks, type OpenWebhooks } from '../../testing/open-webhooks.ts';
import { emitEvent } from '../../outbox/operations/emit-event.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { updateEndpoint } from './update-endpoint.ts';
import { listWorkflowEndpoints } from '../store/endpoint.store.ts';
import { rotateWorkflowSecret } from './rotate-workflow-secret.ts';
import { saveWorkflowEndpoints } from './save-workflow-endpoints.ts';
import type { WorkflowTargets } from './save-workflow-endpoints.ts';
import { purgeHistory } from '../../history/operations/purge-history.ts';
import { reportWorkflowDeliveries } from '../../deliveries/operations/report-workflow-deliveries.ts';

const data = EVENT_TYPES['approval.created'].example as unknown as EventData<'approval.created'>;
let suite: OpenWebhooks;

beforeAll(async () => {
  suite = await openWebhooks();
});
afterEach(() => sql`truncate webhooks.delivery, webhooks.acceptance`.execute(suite.admin));
afterAll(() => suite.close());

const save = (targets: WorkflowTargets) =>
  suite.write((trx, hints) => saveWorkflowEndpoints(trx, hints, targets, suite.secretBox));
const newKey = () => ({ accountId: newId(), workflowId: newId() });
const HOOK = 'http://127.0.0.1:1/hook';

function emitApproval(accountId: string, workflowId: string | undefined, id = newId()) {
  const event = { type: 'approval.created' as const, id, accountId, occurredAt: new Date(), data, workflowId };
  return suite.write((trx, hints) => emitEvent(trx, hints, event, { maxPendingPerAccount: 10_000 }));
}

/** Returns the secrets with which the account's next delivery to each endpoint is signed, newest first. */
async function readSigningSecrets(): Promise<string[][]> {
  const claims = await suite.claim();
  return claims.map((claim) => claim.sealedSecrets.map((sealed) => suite.secretBox.open(sealed, claim.endpointId)));
}

describe('endpoints of an approval workflow', () => {
  it('are created with one secret, shown once, and belong to the workflow', async () => {
    const key = newKey();
    const { endpoints, secret } = await save({ ...key, urls: [HOOK, `${HOOK}/2`, HOOK] });
    expect(endpoints).toMatchObject([
      { source: 'approval_workflow', active: true, secretHint: secret!.slice(-4) },
      { source: 'approval_workflow', active: true, secretHint: secret!.slice(-4) },
    ]);
    expect(secret).toMatch(/^whsec_/);
    expect(await save({ ...key, urls: [HOOK, `${HOOK}/2`] })).toEqual({ endpoints, secret: undefined });
    expect(await listWorkflowEndpoints(suite.gateway, { ...key, accountId: newId() })).toEqual([]);
    const own = { accountId: key.accountId, endpointId: endpoints[0]!.id };
    expect(await suite.write((trx) => deleteEndpoint(trx, own))).toEqual({ kind: 'owned_by_workflow' });
    const patched = await suite.write((trx, hints) =>
      updateEndpoint(trx, hints, { ...own, patch: { active: false } }, suite.secretBox),
    );
    expect(patched).toEqual({ kind: 'owned_by_workflow' });
  });

  it('follow the URLs of the workflow: a changed endpoint keeps its pending deliveries and its breaker closes', async () => {
    const key = newKey();
    const first = await save({ ...key, urls: [HOOK, `${HOOK}/gone`] });
    await emitApproval(key.accountId, key.workflowId);
    await sql`
      update webhooks.endpoint set circuit_state = 'open', circuit_open_until = now() + interval '1 hour'
      where account_id = ${key.accountId}
    `.execute(suite.admin);
    const moved = await save({ ...key, urls: [`${HOOK}/new`] });
    expect(moved.endpoints).toMatchObject([{ id: first.endpoints[0]!.id, circuitState: 'closed' }]);
    expect(await suite.readPending(key.accountId)).toEqual({ counter: 1, rows: 1 });
    expect((await suite.claim()).map((claim) => suite.openUrl(claim.endpointId, claim.address))).toEqual([
      `${HOOK}/new`,
    ]);
    expect(await save({ ...key, urls: [] })).toEqual({ endpoints: [], secret: undefined });
    expect(await suite.readPending(key.accountId)).toEqual({ counter: 0, rows: 0 });
  });

  it('sign with a secret chosen by the client, including endpoints added later', async () => {
    const key = newKey();
    const chosen = 'the secret of our chat gateway';
    expect((await save({ ...key, urls: [HOOK], secret: chosen })).secret).toBe(chosen);
    expect((await save({ ...key, urls: [HOOK, `${HOOK}/2`] })).secret).toBeUndefined();
    await emitApproval(key.accountId, key.workflowId);
    expect(await readSigningSecrets()).toEqual([[chosen], [chosen]]);
    const next = await save({ ...key, urls: [HOOK, `${HOOK}/2`], secret: 'another one, chosen later' });
    expect(next.secret).toBe('another one, chosen later');
    await emitApproval(key.accountId, key.workflowId);
    expect(await readSigningSecrets()).toEqual([[next.secret], [next.secret]]);
  });

  it('rotate to one new secret for all; the old secret signs only during the overlap', async () => {
    const key = newKey();
    const { secret: old } = await save({ ...key, urls: [HOOK, `${HOOK}/2`] });
    const rotate = (overlapSeconds: number) =>
      suite.write((trx) => rotateWorkflowSecret(trx, { ...key, overlapSeconds }, suite.secretBox));
    const during = await rotate(60);
    if (during.kind !== 'rotated') throw new Error(during.kind);
    await emitApproval(key.accountId, key.workflowId);
    expect(await readSigningSecrets()).toEqual([
      [during.secret, old],
      [during.secret, old],
    ]);
    const after = await rotate(0);
    if (after.kind !== 'rotated') throw new Error(after.kind);
    await emitApproval(key.accountId, key.workflowId);
    expect(await readSigningSecrets()).toEqual([[after.secret], [after.secret]]);
    const unknown = { ...newKey(), overlapSeconds: 0 };
    expect(await suite.write((trx) => rotateWorkflowSecret(trx, unknown, suite.secretBox))).toEqual({
      kind: 'not_found',
    });
  });

  it('receive only events of their workflow, together with the deliveries to other subscribers', async () => {
    const key = newKey();
    await save({ ...key, urls: [HOOK] });
    await save({ accountId: key.accountId, workflowId: newId(), urls: [`${HOOK}/other`] });
    await suite.addEndpoint(key.accountId);
    const id = newId();
    const outcome = await emitApproval(key.accountId, key.workflowId, id);
    expect(outcome).toMatchObject({ kind: 'emitted', deliveryIds: [expect.any(String), expect.any(String)] });
    expect((await suite.claim()).map((claim) => suite.openUrl(claim.endpointId, claim.address)).sort()).toEqual([
      'http://127.0.0.1:1/',
      HOOK,
    ]);
    expect((await emitApproval(key.accountId, key.workflowId, id)).kind).toBe('duplicate');
    expect(await emitApproval(key.accountId, undefined)).toMatchObject({ deliveryIds: [expect.any(String)] });
  });
});

describe('outcomes of deliveries to the endpoints of an approval workflow', () => {
  it('are each reported once, with their event and workflow; nothing else is reported', async () => {
    const key = newKey();
    await save({ ...key, urls: [HOOK] });
    await suite.addEndpoint(key.accountId);
    const id = newId();
    await emitApproval(key.accountId, key.workflowId, id);
    await suite.settleAll('delivered');
    await emitApproval(key.accountId, key.workflowId);
    const dead = (await suite.settleAll('dead')) > 0;
    const reported: WorkflowDelivery[] = [];
    const report = (): Promise<number> =>
      reportWorkflowDeliveries(suite.gateway, async (_trx, deliveries) => void reported.push(...deliveries));
    const counts = await Promise.all([report(), report(), report()]);
    expect([dead, counts.reduce((sum, n) => sum + n, 0)]).toEqual([true, 2]);
    const common = {
      ...key,
      deliveryId: expect.any(String),
      eventType: 'approval.created',
      finishedAt: expect.any(Date),
    };
    // The two results may have been reported by different processes.
    expect(reported.toSorted((one) => (one.error === null ? -1 : 1))).toEqual([
      { ...common, eventId: id, error: null },
      { ...common, eventId: expect.any(String), error: expect.stringMatching(/./) },
    ]);
  });

  it('are reported again if the report failed, and the delivery is not repeated', async () => {
    const key = newKey();
    await save({ ...key, urls: [HOOK] });
    await emitApproval(key.accountId, key.workflowId);
    await suite.settleAll('delivered');
    const failing = reportWorkflowDeliveries(suite.gateway, () => Promise.reject(new Error('approvals are locked')));
    await expect(failing).rejects.toThrow('approvals are locked');
    expect(await suite.settleAll('delivered')).toBe(0);
    expect(await reportWorkflowDeliveries(suite.gateway, () => Promise.resolve())).toBe(1);
    expect(await reportWorkflowDeliveries(suite.gateway, () => Promise.resolve())).toBe(0);
  });

  it('are retained no longer than the history if nobody reads them', async () => {
    const key = newKey();
    await save({ ...key, urls: [HOOK] });
    await emitApproval(key.accountId, key.workflowId);
    await suite.settleAll('delivered');
    await sql`update webhooks.acceptance set accepted_at = now() - interval '15 days'`.execute(suite.admin);
    await purgeHistory(suite.dispatcher, { retentionDays: 14 });
    expect(await reportWorkflowDeliveries(suite.gateway, () => Promise.resolve())).toBe(0);
  });
});
