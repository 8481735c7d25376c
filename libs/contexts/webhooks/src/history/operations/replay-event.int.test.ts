import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { BREAKER_RULES, conclude, openWebhooks, type OpenWebhooks } from '../../testing/open-webhooks.ts';
import { deleteEndpoint } from '../../endpoints/operations/delete-endpoint.ts';
import { rotateEndpointSecret } from '../../endpoints/operations/rotate-endpoint-secret.ts';
import { updateEndpoint } from '../../endpoints/operations/update-endpoint.ts';
import { purgeHistory } from './purge-history.ts';
import { listDeliveries } from '../store/delivery.store.ts';
import { replayEvent } from './replay-event.ts';
import { sendTestEvent } from '../../outbox/operations/send-test-event.ts';
import { settleAttempts } from '../../deliveries/operations/settle-attempts.ts';
import type { AttemptVerdict } from '../../deliveries/rules/outcome.ts';

const bound = { maxPendingPerAccount: 10_000 };
let suite: OpenWebhooks;

beforeAll(async () => {
  suite = await openWebhooks();
});
beforeEach(() =>
  sql`truncate webhooks.delivery, webhooks.delivery_done, webhooks.outbox_counter, webhooks.outbox_shard`.execute(
    suite.admin,
  ),
);
afterAll(() => suite.close());

const replay = (accountId: string, eventId: string, maxPendingPerAccount = 10_000) =>
  suite.write((trx, hints) => replayEvent(trx, hints, { accountId, eventId }, { maxPendingPerAccount }));

async function list(accountId: string): Promise<string[]> {
  const deliveries = await listDeliveries(suite.gateway, { accountId }, { beforeId: undefined, limit: 100 });
  return deliveries.map((d) => `${d.endpointId} ${d.generation} ${d.status}`).sort();
}

/** Emits an event whose delivery ends with this verdict. */
async function emitSettled(verdict: AttemptVerdict) {
  const accountId = newId();
  const endpointId = await suite.addEndpoint(accountId);
  const eventId = newId();
  await suite.emit(accountId, eventId);
  await suite.settleAll(verdict);
  return { accountId, endpointId, eventId };
}

describe('replaying an event', () => {
  it('delivers only to endpoints that received the event, delivered or dead; existing deliveries do not change', async () => {
    const accountId = newId();
    const [a, b] = [await suite.addEndpoint(accountId), await suite.addEndpoint(accountId)];
    const eventId = newId();
    await suite.emit(accountId, eventId);
    for (const claimed of await suite.claim()) {
      const outcome = conclude(claimed, claimed.endpointId === a ? 'delivered' : 'dead');
      await settleAttempts(suite.dispatcher, [outcome], BREAKER_RULES);
    }
    await suite.addEndpoint(accountId);
    const before = await list(accountId);
    expect(await replay(accountId, eventId)).toMatchObject({ kind: 'replayed', skippedEndpointIds: [] });
    expect(await list(accountId)).toEqual([...before, `${a} 2 pending`, `${b} 2 pending`].sort());
  });

  it('creates two sets of deliveries for two simultaneous requests', async () => {
    const { accountId, endpointId, eventId } = await emitSettled('delivered');
    await Promise.all([replay(accountId, eventId), replay(accountId, eventId)]);
    expect(await list(accountId)).toEqual([
      `${endpointId} 1 delivered`,
      `${endpointId} 2 pending`,
      `${endpointId} 3 pending`,
    ]);
  });

  it('does not change a waiting retry', async () => {
    const { accountId, endpointId, eventId } = await emitSettled('failed');
    await replay(accountId, eventId);
    expect(await list(accountId)).toEqual([`${endpointId} 1 pending`, `${endpointId} 2 pending`]);
  });

  it('returns the same response for unknown, foreign and deleted events (HOOK-35, API-10)', async () => {
    const [accountId, other] = [newId(), newId()];
    await suite.addEndpoint(accountId);
    const [eventId, purged] = [newId(), newId()];
    await suite.emit(accountId, eventId);
    await suite.emit(accountId, purged);
    await suite.settleAll('delivered');
    await sql`delete from webhooks.delivery_done where event_id = ${purged}`.execute(suite.admin);
    await sql`update webhooks.event set created_at = now() - interval '20 days' where id = ${purged}`.execute(
      suite.admin,
    );
    await purgeHistory(suite.dispatcher, { retentionDays: 14 });
    const answers = [await replay(accountId, newId()), await replay(other, eventId), await replay(accountId, purged)];
    expect(answers).toEqual([{ kind: 'not_found' }, { kind: 'not_found' }, { kind: 'not_found' }]);
  });

  it('respects the limit of the outbox (HOOK-32)', async () => {
    const { accountId, eventId } = await emitSettled('delivered');
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => replay(accountId, eventId, 3)));
    expect(outcomes.filter((outcome) => outcome.kind === 'replayed')).toHaveLength(3);
    expect(await suite.readPending(accountId)).toEqual({ counter: 3, rows: 3 });
  });
});

describe('a test delivery', () => {
  const sendTest = (accountId: string, endpointId: string) =>
    suite.write((trx, hints) =>
      sendTestEvent(trx, hints, { accountId, endpointId, requestedByUserId: null, now: new Date() }, bound),
    );

  it('is held for an inactive endpoint and sent once the endpoint is active', async () => {
    const accountId = newId();
    const endpointId = await suite.addEndpoint(accountId, ['policy.denied']);
    const setActive = (active: boolean) =>
      suite.write((trx, hints) =>
        updateEndpoint(trx, hints, { accountId, endpointId, patch: { active } }, suite.secretBox),
      );
    await setActive(false);
    expect((await sendTest(accountId, endpointId)).kind).toBe('emitted');
    expect(await suite.claim()).toEqual([]);
    await setActive(true);
    expect(await suite.claim()).toMatchObject([{ eventType: 'webhook.test', attemptCount: 0 }]);
  });

  it('counts for the breaker like any other delivery', async () => {
    const accountId = newId();
    const endpointId = await suite.addEndpoint(accountId);
    await sendTest(accountId, endpointId);
    const [claimed] = await suite.claim();
    await settleAttempts(suite.dispatcher, [conclude(claimed!, 'failed')], BREAKER_RULES);
    const { rows } = await sql`select consecutive_failures from webhooks.endpoint where id = ${endpointId}`.execute(
      suite.admin,
    );
    expect(rows).toEqual([{ consecutive_failures: 1 }]);
  });
});

describe('a waiting retry', () => {
  it('is still sent if its type was removed from the filter later, because the event matched when it happened', async () => {
    const accountId = newId();
    const endpointId = await suite.addEndpoint(accountId, ['session.ended']);
    await suite.emit(accountId);
    await suite.settleAll('failed');
    const patch = { eventTypes: ['policy.denied'] };
    await suite.write((trx, hints) => updateEndpoint(trx, hints, { accountId, endpointId, patch }, suite.secretBox));
    await sql`update webhooks.delivery set next_attempt_at = now() - interval '1 s'`.execute(suite.admin);
    expect(await suite.claim()).toMatchObject([{ eventType: 'session.ended', attemptCount: 1 }]);
    expect(await suite.emit(accountId)).toEqual({ kind: 'no_endpoint' });
  });

  it('is signed with the current secret, and with the previous one during an overlap', async () => {
    const accountId = newId();
    const endpointId = await suite.addEndpoint(accountId);
    await suite.emit(accountId);
    const readSecrets = async (): Promise<string[]> => {
      await sql`update webhooks.delivery set next_attempt_at = now() - interval '1 s', claim_token = null, claim_until = null`.execute(
        suite.admin,
      );
      const [claimed] = await suite.claim();
      await settleAttempts(suite.dispatcher, [conclude(claimed!, 'failed')], BREAKER_RULES);
      return claimed!.sealedSecrets.map((sealed) => suite.secretBox.open(sealed, endpointId));
    };
    const rotate = async (overlapSeconds: number): Promise<string> => {
      const input = { accountId, endpointId, overlapSeconds };
      const outcome = await suite.write((trx) => rotateEndpointSecret(trx, input, suite.secretBox));
      if (outcome.kind !== 'rotated') throw new Error(outcome.kind);
      return outcome.secret;
    };
    const [first] = await readSecrets();
    const second = await rotate(3600);
    expect(await readSecrets()).toEqual([second, first]);
    await sql`update webhooks.endpoint_secret set expires_at = now() - interval '1 s' where expires_at is not null`.execute(
      suite.admin,
    );
    expect(await readSecrets()).toEqual([second]);
    const third = await rotate(0);
    expect(await readSecrets()).toEqual([third]);
  });

  it('is cancelled with its endpoint, and is not reactivated by a late outcome', async () => {
    const accountId = newId();
    const endpointId = await suite.addEndpoint(accountId);
    await suite.emit(accountId);
    const [claimed] = await suite.claim();
    await suite.write((trx) => deleteEndpoint(trx, { accountId, endpointId }));
    const late = await settleAttempts(suite.dispatcher, [conclude(claimed!, 'failed')], BREAKER_RULES);
    expect([late.settledIds.size, late.breakerMoves]).toEqual([0, []]);
    expect(await list(accountId)).toEqual([`${endpointId} 1 cancelled`]);
    expect(await suite.readPending(accountId)).toEqual({ counter: 0, rows: 0 });
  });
});
