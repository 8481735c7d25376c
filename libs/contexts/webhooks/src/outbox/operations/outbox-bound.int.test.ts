import { EVENT_TYPES, type EventData } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { conclude, openWebhooks, type OpenWebhooks } from '../../testing/open-webhooks.ts';
import { emitEvent, type EmitOutcome } from './emit-event.ts';
import { deleteEndpoint } from '../../endpoints/operations/delete-endpoint.ts';
import { replayEvent } from '../../history/operations/replay-event.ts';
import { settleAttempts } from '../../deliveries/operations/settle-attempts.ts';
import { settleDelivered } from '../../deliveries/operations/settle-delivered.ts';

let suite: OpenWebhooks;
const data = EVENT_TYPES['session.ended'].example as unknown as EventData<'session.ended'>;
const rules = { failureThreshold: 1_000_000, cooldownSeconds: 900 };

beforeAll(async () => {
  suite = await openWebhooks();
});
// Rows that one test left in the queue would be claimed by the next test.
afterEach(() => sql`truncate webhooks.delivery`.execute(suite.admin));
afterAll(() => suite.close());

function emit(accountId: string, maxPendingPerAccount: number, id = newId()): Promise<EmitOutcome> {
  return suite.emit(accountId, id, { maxPendingPerAccount });
}

const countKind = (outcomes: readonly EmitOutcome[], kind: EmitOutcome['kind']): number =>
  outcomes.filter((outcome) => outcome.kind === kind).length;

/**
 * Claims and settles deliveries as a dispatcher does, using the fast path first. Returns the number of claimed
 * deliveries.
 */
async function settleSome(limit: number): Promise<number> {
  const outcomes = (await suite.claim({ limit })).map((claim) => conclude(claim, 'delivered'));
  const { rest } = await settleDelivered(suite.dispatcher, outcomes);
  if (rest.length > 0) await settleAttempts(suite.dispatcher, rest, rules);
  return outcomes.length;
}

async function readRefusal(endpointId: string): Promise<string | null> {
  const result = await sql<{ reason: string | null }>`
    select refusal_reason as reason from webhooks.endpoint where id = ${endpointId}
  `.execute(suite.admin);
  return result.rows[0]?.reason ?? null;
}

describe('the limit of undelivered rows', () => {
  it('is reached exactly by fifty simultaneous emitters with two endpoints each, and no account delays another (HOOK-31, LIM-30)', async () => {
    const accountId = newId();
    const endpointId = await suite.addEndpoint(accountId);
    await suite.addEndpoint(accountId);
    const outcomes = await Promise.all(Array.from({ length: 80 }, () => emit(accountId, 100)));
    expect([countKind(outcomes, 'emitted'), countKind(outcomes, 'refused')]).toEqual([50, 30]);
    expect(await suite.readPending(accountId)).toEqual({ counter: 100, rows: 100 });
    expect(await readRefusal(endpointId)).toBe('outbox_full');
    await settleSome(10);
    expect(await readRefusal(endpointId)).toBeNull();
    expect((await emit(accountId, 100)).kind).toBe('emitted');
    expect(await suite.readPending(accountId)).toEqual({ counter: 92, rows: 92 });
  });

  it('is respected while outcomes are written, and the count equals the rows', async () => {
    const accountId = newId();
    await suite.addEndpoint(accountId);
    let settled = 0;
    let most = 0;
    let emitting = true;
    const settling = (async () => {
      while (emitting) {
        settled += await settleSome(7);
        most = Math.max(most, (await suite.readPending(accountId)).rows);
      }
    })();
    const lanes = Array.from({ length: 10 }, async () => {
      const outcomes: EmitOutcome[] = [];
      for (let index = 0; index < 40; index += 1) outcomes.push(await emit(accountId, 30));
      return outcomes;
    });
    const outcomes = (await Promise.all(lanes)).flat();
    emitting = false;
    await settling;
    const { counter, rows } = await suite.readPending(accountId);
    expect(counter).toBe(rows);
    expect(rows + settled).toBe(countKind(outcomes, 'emitted'));
    expect(countKind(outcomes, 'emitted') + countKind(outcomes, 'refused')).toBe(400);
    expect(most).toBeLessThanOrEqual(30);
    while ((await settleSome(50)) > 0);
    expect(await suite.readPending(accountId)).toEqual({ counter: 0, rows: 0 });
  });

  it('can be changed: the new limit applies from the next event on, even if processes have different limits', async () => {
    const accountId = newId();
    await suite.addEndpoint(accountId);
    for (let index = 0; index < 20; index += 1) await emit(accountId, 20);
    expect((await emit(accountId, 20)).kind).toBe('refused');
    expect((await emit(accountId, 25)).kind).toBe('emitted');
    expect((await emit(accountId, 10)).kind).toBe('refused');
    await settleSome(15);
    const outcomes = await Promise.all(Array.from({ length: 30 }, (_, index) => emit(accountId, index % 2 ? 10 : 15)));
    const { counter, rows } = await suite.readPending(accountId);
    expect([counter, rows]).toEqual([6 + countKind(outcomes, 'emitted'), counter]);
    expect(rows).toBe(15);
  });

  it('allows transactions with several events without a failure', async () => {
    const accountId = newId();
    await suite.addEndpoint(accountId);
    const emitThree = () =>
      suite.write(async (trx, hints) => {
        const outcomes: EmitOutcome[] = [];
        for (let index = 0; index < 3; index += 1) {
          const event = { type: 'session.ended' as const, id: newId(), accountId, occurredAt: new Date(), data };
          outcomes.push(await emitEvent(trx, hints, event, { maxPendingPerAccount: 60 }));
        }
        return outcomes;
      });
    const outcomes = (await Promise.all(Array.from({ length: 40 }, emitThree))).flat();
    const { counter, rows } = await suite.readPending(accountId);
    expect([counter, rows]).toEqual([countKind(outcomes, 'emitted'), counter]);
    // Further events of a transaction may be refused slightly below the limit; later ones use the remaining rows.
    while ((await emit(accountId, 60)).kind === 'emitted');
    expect(await suite.readPending(accountId)).toEqual({ counter: 60, rows: 60 });
  });

  it('includes replays; a rollback releases the reserved rows', async () => {
    const accountId = newId();
    await suite.addEndpoint(accountId);
    const eventId = newId();
    await emit(accountId, 10, eventId);
    const replay = () =>
      suite.write((trx, hints) => replayEvent(trx, hints, { accountId, eventId }, { maxPendingPerAccount: 10 }));
    const failing = suite.write(async (trx, hints) => {
      await replayEvent(trx, hints, { accountId, eventId }, { maxPendingPerAccount: 10 });
      throw new Error('business rule');
    });
    await expect(failing).rejects.toThrow('business rule');
    const outcomes = await Promise.all(Array.from({ length: 12 }, replay));
    expect(outcomes.filter((outcome) => outcome.kind === 'replayed')).toHaveLength(9);
    expect(await suite.readPending(accountId)).toEqual({ counter: 10, rows: 10 });
  });
});

describe('emitters of one account', () => {
  it('do not wait for each other or for outcomes being written', async () => {
    const accountId = newId();
    await suite.addEndpoint(accountId);
    await emit(accountId, 1000);
    let release = (): void => undefined;
    const open = new Promise<void>((resolve) => (release = resolve));
    const holding = suite.write(async (trx, hints) => {
      const event = { type: 'session.ended' as const, id: newId(), accountId, occurredAt: new Date(), data };
      await emitEvent(trx, hints, event, { maxPendingPerAccount: 1000 });
      await open;
    });
    const outcomes = await Promise.all([emit(accountId, 1000), emit(accountId, 1000)]);
    const settled = await settleSome(50);
    release();
    await holding;
    expect([outcomes.map(({ kind }) => kind), settled]).toEqual([['emitted', 'emitted'], 3]);
    expect(await suite.readPending(accountId)).toEqual({ counter: 1, rows: 1 });
  });

  it('leave no row behind for an endpoint that is deleted meanwhile', async () => {
    const accountId = newId();
    await suite.addEndpoint(accountId);
    const doomed = await suite.addEndpoint(accountId);
    await emit(accountId, 1000);
    const emits = Array.from({ length: 60 }, () => emit(accountId, 1000));
    const deleting = suite.write((trx) => deleteEndpoint(trx, { accountId, endpointId: doomed }));
    await Promise.all([...emits, deleting, settleSome(20)]);
    const left = await sql<{ n: number }>`
      select count(*)::int as n from webhooks.delivery where endpoint_id = ${doomed}
    `.execute(suite.admin);
    expect(left.rows[0]?.n).toBe(0);
    const { counter, rows } = await suite.readPending(accountId);
    expect(counter).toBe(rows);
  });
});
