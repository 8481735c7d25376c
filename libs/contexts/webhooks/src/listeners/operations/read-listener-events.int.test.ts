import { EVENT_TYPES, type EventData } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { sql } from 'kysely';
import { purgeHistory } from '../../history/operations/purge-history.ts';
import { emitEvent } from '../../outbox/operations/emit-event.ts';
import { openListenerReader, type ListenerReader } from '../../testing/open-listener-reader.ts';
import { openWebhooks, type OpenWebhooks } from '../../testing/open-webhooks.ts';
import { MAX_LISTENERS_PER_ACCOUNT } from '../listener.ts';
import { formatPosition } from '../rules/position.ts';
import { createListener, deleteListener, updateListener } from './change-listeners.ts';
import { purgeListeners } from './purge-listeners.ts';

let suite: OpenWebhooks;
beforeAll(async () => {
  suite = await openWebhooks();
});
afterEach(() => suite.empty());
afterAll(() => suite.close());

const data = EVENT_TYPES['session.ended'].example as unknown as EventData<'session.ended'>;
const OPTIONS = { maxPendingPerAccount: 10_000 };

const openReader = (accountId: string, id: string, limit?: number): ListenerReader =>
  openListenerReader(suite.gateway, { accountId, id }, limit);

describe('a listener', () => {
  it('reads each event of its types once, and leaves no delivery, hint or count (HOOK-45, HOOK-46)', async () => {
    const accountId = newId();
    const all = openReader(accountId, await suite.addListener(accountId));
    const none = openReader(accountId, await suite.addListener(accountId, ['approval.created']));
    suite.hinted.length = 0;
    const ids = [newId(), newId()];
    for (const id of ids) expect(await suite.emit(accountId, id)).toMatchObject({ kind: 'emitted', deliveryIds: [] });
    expect(await suite.emit(accountId, ids[0])).toEqual({ kind: 'duplicate' });
    expect((await all.read()).ids).toEqual(ids);
    expect((await all.read()).ids).toEqual([]);
    expect((await none.read()).ids).toEqual([]);
    expect([await suite.readPending(accountId), suite.hinted]).toEqual([{ counter: 0, rows: 0 }, []]);
  });

  it('receives an event in addition to an endpoint; only the endpoint counts as a subscriber; no event of another account is received', async () => {
    const accountId = newId();
    const reader = openReader(accountId, await suite.addListener(accountId));
    await suite.addEndpoint(accountId);
    const stranger = newId();
    await suite.addEndpoint(stranger);
    const id = newId();
    await suite.emit(stranger);
    expect(await suite.emit(accountId, id)).toMatchObject({ deliveryIds: [expect.any(String)] });
    expect((await reader.read()).ids).toEqual([id]);
    expect(await suite.readPending(accountId)).toEqual({ counter: 1, rows: 1 });
    const foreign = openReader(stranger, newId());
    expect((await foreign.read()).kind).toBe('not_found');
  });

  it('receives the event of a transaction that started earlier but commits after another one (HOOK-48)', async () => {
    const accountId = newId();
    const reader = openReader(accountId, await suite.addListener(accountId));
    const late = newId();
    const early = newId();
    await suite.write(async (trx, hints) => {
      const event = { type: 'session.ended' as const, accountId, occurredAt: new Date(), data };
      await emitEvent(trx, hints, { ...event, id: late }, OPTIONS);
      await suite.emit(accountId, early);
      expect((await reader.read()).ids).toEqual([early]);
      expect((await reader.read()).ids).toEqual([]);
    });
    expect((await reader.read()).ids).toEqual([late]);
    expect((await reader.read()).ids).toEqual([]);
  });

  it('can continue after any event, even within a transaction of many events (HOOK-48)', async () => {
    const accountId = newId();
    const listener = await suite.addListener(accountId);
    const emitted: string[] = [];
    const event = { type: 'session.ended' as const, accountId, occurredAt: new Date(), data };
    for (const count of [1, 5, 1, 2]) {
      await suite.write(async (trx, hints) => {
        for (let index = 0; index < count; index += 1) {
          const id = newId();
          emitted.push(id);
          await emitEvent(trx, hints, { ...event, id }, OPTIONS);
        }
      });
    }
    const reader = openReader(accountId, listener, 3);
    const got: string[] = [];
    const places: string[] = [];
    for (;;) {
      const page = await reader.read();
      if (page.ids.length === 0) break;
      got.push(...page.ids);
      places.push(...page.places);
    }
    expect(got).toEqual(emitted);
    for (const [index, place] of places.entries()) {
      const resumed = openReader(accountId, listener, 100);
      resumed.goTo(place);
      const rest = (await resumed.read()).ids;
      // The check is that no event after the last one taken is missing; events of the same transaction may be returned
      // again.
      expect(emitted.slice(index + 1).filter((id) => !rest.includes(id))).toEqual([]);
      expect(rest.length).toBeLessThanOrEqual(emitted.length - index - 1 + 5);
    }
  });

  it('receives only the new types after a change, and nothing once it is deleted', async () => {
    const accountId = newId();
    const id = await suite.addListener(accountId, ['approval.created']);
    const key = { accountId, listenerId: id };
    const reader = openReader(accountId, id);
    await suite.emit(accountId);
    const changed = await suite.write((trx) => updateListener(trx, key, { eventTypes: ['session.ended'] }));
    expect(changed).toMatchObject({ id, eventTypes: ['session.ended'] });
    await suite.emit(accountId);
    expect((await reader.read()).ids).toHaveLength(1);
    expect(await suite.write((trx) => deleteListener(trx, { ...key, accountId: newId() }))).toBe(false);
    expect(await suite.write((trx) => deleteListener(trx, key))).toBe(true);
    expect([await suite.emit(accountId), (await reader.read()).kind]).toEqual([{ kind: 'no_endpoint' }, 'not_found']);
    expect(await suite.write((trx) => updateListener(trx, key, {}))).toBeUndefined();
  });

  it('is one of at most 20 in an account (LIM-103)', async () => {
    const accountId = newId();
    for (let count = 0; count < MAX_LISTENERS_PER_ACCOUNT; count += 1) await suite.addListener(accountId);
    const input = { accountId, userId: newId(), description: '', eventTypes: [] };
    expect(await suite.write((trx) => createListener(trx, input, suite.secretBox))).toEqual({ kind: 'limit_reached' });
  });
});

/** Reads until there are events. */
const readNext = (reader: ListenerReader): Promise<string[]> =>
  eventually(async () => {
    const { ids } = await reader.read();
    return ids.length > 0 && ids;
  });

describe('events retained for listeners (HOOK-49)', () => {
  const purge = (events = 1000) => purgeListeners(suite.dispatcher, { bounds: { eventHours: 72, events } });

  it('are deleted by age: a position before deleted events is refused as gone, a later one continues', async () => {
    const accountId = newId();
    const listener = await suite.addListener(accountId);
    const behind = openReader(accountId, listener, 1);
    for (let count = 0; count < 3; count += 1) await suite.emit(accountId);
    await behind.read();
    const ahead = openReader(accountId, listener);
    const newest = await sql<{ xid: string }>`
      select xid from webhooks.listener_event where listener_id = ${listener} order by xid desc limit 1
    `.execute(suite.admin);
    // A position that does not include an older transaction, such as one of another test, would be gone too.
    await eventually(async () => {
      await ahead.read();
      return ahead.position().place.xmin > BigInt(newest.rows[0]!.xid);
    });
    await sql`update webhooks.listener_event set created_at = now() - interval '73 hours'`.execute(suite.admin);
    const last = newId();
    await suite.emit(accountId, last);
    expect(await purge()).toMatchObject({ listenerEventsDeleted: 3 });
    expect((await behind.read()).kind).toBe('place_gone');
    // Events are read once all transactions that began before theirs have ended, including those of other tests.
    expect(await readNext(ahead)).toEqual([last]);
    expect(await readNext(openReader(accountId, listener))).toEqual([last]);
  });

  it('are limited to the newest ones per listener, regardless of how many are emitted', async () => {
    const accountId = newId();
    const listener = await suite.addListener(accountId);
    const ids = Array.from({ length: 5 }, () => newId());
    for (const id of ids) await suite.emit(accountId, id);
    expect(await purge(2)).toMatchObject({ listenerEventsDeleted: 3 });
    expect((await openReader(accountId, listener).read()).ids).toEqual(ids.slice(3));
  });

  it('are deleted with their listener, and when nobody has read the listener for 30 days', async () => {
    const accountId = newId();
    const deleted = await suite.addListener(accountId);
    const unseen = await suite.addListener(accountId);
    const kept = await suite.addListener(accountId);
    await suite.emit(accountId);
    await suite.write((trx) => deleteListener(trx, { accountId, listenerId: deleted }));
    await sql`update webhooks.listener set seen_at = now() - interval '31 days' where endpoint_id = ${unseen}`.execute(
      suite.admin,
    );
    expect(await purge()).toEqual({ listenersDeleted: 1, listenerEventsDeleted: 2 });
    expect((await openReader(accountId, unseen).read()).kind).toBe('not_found');
    expect((await openReader(accountId, kept).read()).ids).toHaveLength(1);
    expect(await purge()).toEqual({ listenersDeleted: 0, listenerEventsDeleted: 0 });
  });

  it('remain readable even if deliveries are retained for only a day (HOOK-34)', async () => {
    const accountId = newId();
    const listener = await suite.addListener(accountId);
    const id = newId();
    await suite.emit(accountId, id);
    await sql`update webhooks.event set created_at = now() - interval '2 days'`.execute(suite.admin);
    expect(await purgeHistory(suite.dispatcher, { retentionDays: 1 })).toMatchObject({ eventsDeleted: 0 });
    expect((await openReader(accountId, listener).read()).ids).toEqual([id]);
  });

  it('that were restored from the dump of another database are deleted, and not sent repeatedly', async () => {
    const accountId = newId();
    const listener = await suite.addListener(accountId);
    await suite.emit(accountId);
    // The rows get transaction ids that a new database has not reached, since its ids start from the beginning.
    await sql`update webhooks.listener_event set xid = '900000000000'`.execute(suite.admin);
    await sql`update webhooks.listener set dropped_xid = '900000000000'`.execute(suite.admin);
    const reader = openReader(accountId, listener);
    expect((await reader.read()).ids).toEqual([]);
    const ids = [newId(), newId(), newId()];
    for (const id of ids.slice(0, 2)) await suite.emit(accountId, id);
    expect((await reader.read()).ids).toEqual(ids.slice(0, 2));
    const behind = reader.position();
    expect(await purge(2)).toMatchObject({ listenerEventsDeleted: 1 });
    await suite.emit(accountId, ids[2]);
    expect((await reader.read()).ids).toEqual(ids.slice(2));
    // The listener records deletions again from now on.
    await suite.emit(accountId);
    expect(await purge(1)).toMatchObject({ listenerEventsDeleted: 3 });
    reader.goTo(formatPosition(behind));
    expect((await reader.read()).kind).toBe('place_gone');
  });

  it('are not returned for a position whose transactions do not exist in the database', async () => {
    const accountId = newId();
    const reader = openReader(accountId, await suite.addListener(accountId));
    reader.goTo('900000000000:900000000000:');
    expect((await reader.read()).kind).toBe('place_gone');
  });
});
