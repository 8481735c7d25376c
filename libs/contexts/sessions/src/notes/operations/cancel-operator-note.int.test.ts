import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { useNotes } from '../../testing/use-notes.ts';
import { useSessions } from '../../testing/use-sessions.ts';
import { releaseNotes, storeDelivery } from '../store/note-claim.store.ts';
import { cancelOperatorNote } from './cancel-operator-note.ts';

const sessions = useSessions();
const { send, claim, deliver, lose, find, expire } = useNotes(sessions);
const now = new Date('2026-11-22T12:00:00.000Z');
const cancelIn = (trx: AnyTransaction, accountId: string, noteId: string) =>
  cancelOperatorNote(trx, { accountId, noteId, now });
const cancel = (accountId: string, noteId: string) => sessions.run((trx) => cancelIn(trx, accountId, noteId));

describe('cancelling a note (SESS-31)', () => {
  it('takes effect once: the note is no longer delivered, and has the time of cancellation', async () => {
    const key = await sessions.openSession();
    const { id } = await send(key.accountId, key);
    expect(await cancel(key.accountId, id)).toMatchObject({
      kind: 'cancelled',
      note: { id, state: 'cancelled', cancelledAt: now, text: 'hold on' },
    });
    expect((await claim(key.accountId, key)).ids).toEqual([]);
    expect(await cancel(key.accountId, id)).toMatchObject({ kind: 'too_late', note: { state: 'cancelled' } });
  });

  it('succeeds for one of many concurrent requests', async () => {
    const key = await sessions.openSession();
    const { id } = await send(key.accountId, key);
    const kinds = (await Promise.all(Array.from({ length: 8 }, () => cancel(key.accountId, id)))).map(
      ({ kind }) => kind,
    );
    expect(kinds.sort()).toEqual(['cancelled', ...Array.from({ length: 7 }, () => 'too_late')]);
  });

  it('is refused for a note that was delivered, has expired, or is being delivered', async () => {
    const key = await sessions.openSession();
    const { accountId } = key;
    const held = await send(accountId, key);
    const { token } = await claim(accountId, key);
    expect(await cancel(accountId, held.id)).toMatchObject({ kind: 'too_late', note: { state: 'pending' } });
    await deliver(accountId, token, key);
    expect(await cancel(accountId, held.id)).toMatchObject({ kind: 'too_late', note: { state: 'delivered' } });
    const old = await send(accountId, key);
    await expire(old.id);
    expect(await cancel(accountId, old.id)).toMatchObject({ kind: 'too_late', note: { state: 'expired' } });
    expect(await find(accountId, held.id)).toMatchObject({ cancelledAt: null, state: 'delivered' });
  });

  it('is possible again once the note was released, or the claim of a failed holder has expired', async () => {
    const key = await sessions.openSession();
    const { accountId } = key;
    await sessions.addEndpoint(accountId);
    const [back, lost] = [await send(accountId, key), await send(accountId, key)];
    const first = await claim(accountId, key);
    await releaseNotes(sessions.db(), { accountId, token: first.token });
    expect((await cancel(accountId, back.id)).kind).toBe('cancelled');
    const second = await claim(accountId, key);
    expect(second.ids).toEqual([lost.id]);
    await lose(second.token);
    expect((await cancel(accountId, lost.id)).kind).toBe('cancelled');
    await deliver(accountId, second.token, key);
    expect(await find(accountId, lost.id)).toMatchObject({ state: 'cancelled', deliveredAt: null });
    const types = (await sessions.readEvents(accountId)).map(({ type }) => type);
    expect(types).toEqual(['agent.note_sent', 'agent.note_sent']);
  });

  it('results in either a delivered or a cancelled note if the note is being delivered', async () => {
    const key = await sessions.openSession();
    const { accountId } = key;
    const { id } = await send(accountId, key);
    const { token } = await claim(accountId, key);
    await lose(token);
    const [, outcome] = await sessions.overlap(
      (trx) => storeDelivery(trx, { accountId, token }, { now, channel: 'gateway', sessionId: undefined }),
      () => cancel(accountId, id),
    );
    expect(outcome).toMatchObject({ kind: 'too_late', note: { state: 'delivered', cancelledAt: null } });
  });

  it('is limited to the account (API-10), and is undone with its transaction', async () => {
    const key = await sessions.openSession();
    const { id } = await send(key.accountId, key);
    expect(await cancel(newId(), id)).toEqual({ kind: 'not_found' });
    expect(await cancel(key.accountId, newId())).toEqual({ kind: 'not_found' });
    const failing = sessions.run(async (trx) => {
      await cancelIn(trx, key.accountId, id);
      throw new Error('fault before the answer');
    });
    await expect(failing).rejects.toThrow('fault before the answer');
    expect(await find(key.accountId, id)).toMatchObject({ state: 'pending', cancelledAt: null });
  });
});
