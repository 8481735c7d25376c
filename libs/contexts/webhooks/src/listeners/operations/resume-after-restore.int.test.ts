import { EVENT_TYPES, type EventData } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { sql } from 'kysely';
import { emitEvent } from '../../outbox/operations/emit-event.ts';
import { openListenerReader, type ListenerReader } from '../../testing/open-listener-reader.ts';
import { openWebhooks } from '../../testing/open-webhooks.ts';
import { formatPosition, type Position } from '../rules/position.ts';

const opened = useOpened(openWebhooks);
beforeEach(() => opened().empty());

const data = EVENT_TYPES['session.ended'].example as unknown as EventData<'session.ended'>;
const OPTIONS = { maxPendingPerAccount: 10_000 };
const openReader = (accountId: string, id: string, limit?: number): ListenerReader =>
  openListenerReader(opened().gateway, { accountId, id }, limit);

describe('a database that was restored to an earlier time, or taken over by another server (HOOK-49)', () => {
  /** The position as it was in the history before this one, in which the database had counted far ahead. */
  const toFormer = ({ history }: Position, changed: object = {}) =>
    formatPosition({
      place: { xmin: 900_000_000_000n, xmax: 900_000_000_000n, running: [] },
      history: { ...history!, timeline: '0', ...changed },
    });

  it('sends a reader all events since its position was read, and no earlier ones', async () => {
    const accountId = newId();
    const listener = await opened().addListener(accountId);
    const reader = openReader(accountId, listener, 2);
    await opened().emit(accountId);
    await reader.read();
    expect(reader.position().history).toMatchObject({ system: expect.stringMatching(/^[0-9a-f]{8}$/) });
    await sql`update webhooks.listener_event set created_at = now() - interval '1 hour'`.execute(opened().admin);
    reader.goTo(toFormer(reader.position()));
    const ids = [newId(), newId(), newId()];
    for (const id of ids) await opened().emit(accountId, id);
    const first = await reader.read();
    expect([first.kind, first.ids]).toEqual(['read', ids.slice(0, 2)]);
    // From here on, the position is one of this history.
    expect(reader.position().history?.timeline).not.toBe('0');
    expect((await reader.read()).ids).toEqual(ids.slice(2));
    expect((await reader.read()).ids).toEqual([]);
    const resumed = openReader(accountId, listener);
    resumed.goTo(first.places[0]!);
    expect((await resumed.read()).ids).toEqual(ids.slice(1));
  });

  it('sends the event of a transaction that is still running when the reader comes back', async () => {
    const accountId = newId();
    const reader = openReader(accountId, await opened().addListener(accountId));
    await opened().emit(accountId);
    await reader.read();
    await sql`update webhooks.listener_event set created_at = now() - interval '1 hour'`.execute(opened().admin);
    reader.goTo(toFormer(reader.position()));
    const [late, early] = [newId(), newId()];
    await opened().write(async (trx, hints) => {
      const event = { type: 'session.ended' as const, accountId, occurredAt: new Date(), data };
      await emitEvent(trx, hints, { ...event, id: late }, OPTIONS);
      await opened().emit(accountId, early);
      expect((await reader.read()).ids).toEqual([early]);
    });
    expect((await reader.read()).ids).toEqual([late]);
  });

  it('refuses a position of another cluster, even after it has counted as far', async () => {
    const accountId = newId();
    const reader = openReader(accountId, await opened().addListener(accountId));
    await opened().emit(accountId);
    await reader.read();
    const { place, history } = reader.position();
    reader.goTo(formatPosition({ place, history: { ...history!, system: 'ffffffff' } }));
    expect((await reader.read()).kind).toBe('place_gone');
  });
});
