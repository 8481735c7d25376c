import { newId } from '@steward/crypto';
import { useNotes } from '../../testing/use-notes.ts';
import { useSessions } from '../../testing/use-sessions.ts';
import { deleteRuntimeSession } from '../../deletion/operations/delete-runtime-session.ts';
import { hasPendingNotes } from './note-claim.store.ts';

const sessions = useSessions();
const { send, claim, deliver, expire, find } = useNotes(sessions);
const isWaiting = (accountId: string) => hasPendingNotes(sessions.db(), accountId);

describe('the notes of one model call (SESS-30)', () => {
  it('are at most five, oldest first; the rest follow with the next call', async () => {
    const key = await sessions.openSession();
    for (let index = 0; index < 7; index += 1) await send(key.accountId, key, { text: `note ${index}` });
    const first = await claim(key.accountId, key);
    const second = await claim(key.accountId, key);
    expect(first.texts).toEqual([0, 1, 2, 3, 4].map((index) => `note ${index}`));
    expect(second.texts).toEqual(['note 5', 'note 6']);
  });

  it('are each claimed by only one of many concurrent calls', async () => {
    const key = await sessions.openSession();
    const sent: string[] = [];
    for (let index = 0; index < 8; index += 1) sent.push((await send(key.accountId, key)).id);
    const takers = await Promise.all(Array.from({ length: 6 }, () => claim(key.accountId, key)));
    const taken = takers.flatMap(({ ids }) => ids);
    expect(new Set(taken).size).toBe(taken.length);
    // A claim may have skipped notes whose rows were locked by other transactions; these are delivered at the next
    // turn.
    const left = [...(await claim(key.accountId, key)).ids, ...(await claim(key.accountId, key)).ids];
    expect([...taken, ...left].sort()).toEqual(sent.sort());
  });

  it('do not include notes of another session, agent, run or account', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    const other = await sessions.openSession({ accountId: key.accountId, runtimePrincipalId: 'other' });
    const executionId = newId();
    await send(key.accountId, key);
    await send(key.accountId, { managedAgentId: 'idle', isKnown: true });
    await send(key.accountId, { executionId, managedAgentId: 'bot' });
    const everything = { sessionId: key.sessionId, agentId: 'idle', executionId, takesAllSessions: true };
    const nothing = [
      await claim(newId(), everything),
      await claim(key.accountId, {}),
      await claim(key.accountId, { sessionId: other.sessionId, agentId: 'other', takesAllSessions: true }),
      await claim(key.accountId, { executionId: newId() }),
    ];
    expect(nothing.flatMap(({ ids }) => ids)).toEqual([]);
    expect((await claim(key.accountId, everything)).ids).toHaveLength(3);
  });

  it('are the notes of every session of an agent if it names no session, otherwise of the named one (SESS-33)', async () => {
    const agent = { runtimePrincipalId: 'bot' };
    const first = await sessions.openSession(agent);
    const { accountId } = first;
    const second = await sessions.openSession({ accountId, ...agent });
    await send(accountId, first, { text: 'to the first' });
    await send(accountId, second, { text: 'to the second' });
    expect((await claim(accountId, { agentId: 'bot' })).texts).toEqual([]);
    const named = await claim(accountId, { ...second, agentId: 'bot' });
    expect(named.texts).toEqual(['to the second']);
    expect((await claim(accountId, { agentId: 'bot', takesAllSessions: true })).texts).toEqual(['to the first']);
  });
});

describe('a note that is never delivered', () => {
  it('has expired and no longer counts as waiting (SESS-31)', async () => {
    const key = await sessions.openSession();
    const { id } = await send(key.accountId, key);
    expect(await isWaiting(key.accountId)).toBe(true);
    await expire(id);
    expect(await isWaiting(key.accountId)).toBe(false);
    expect((await claim(key.accountId, key)).ids).toEqual([]);
    expect(await find(key.accountId, id)).toMatchObject({ state: 'expired' });
  });

  it('belongs to a session that had ended, even if its agent requests the notes of all its sessions (SESS-16)', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    const before = await send(key.accountId, key, { text: 'while it ran' });
    await sessions.end(key);
    await send(key.accountId, key, { text: 'a remark', now: new Date(Date.now() + 1000) });
    const turn = await claim(key.accountId, { ...key, agentId: 'bot', takesAllSessions: true });
    expect(turn.ids).toEqual([before.id]);
  });

  it('belongs to a session that was deleted, for every caller (SESS-19)', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    await send(key.accountId, key);
    await sessions.run((trx) => deleteRuntimeSession(trx, key));
    expect((await claim(key.accountId, { ...key, agentId: 'bot', takesAllSessions: true })).ids).toEqual([]);
  });

  it('was already delivered: the next call does not get it again (SESS-32)', async () => {
    const key = await sessions.openSession();
    const { id } = await send(key.accountId, key);
    const { token } = await claim(key.accountId, key);
    const now = new Date('2026-11-22T12:00:00.000Z');
    await deliver(key.accountId, token, { ...key, channel: 'hook', now });
    expect((await claim(key.accountId, key)).ids).toEqual([]);
    // A delivery by a hook belongs to no model call, so the turn index is the number of calls so far.
    expect(await find(key.accountId, id)).toMatchObject({
      ...{ state: 'delivered', deliveredAt: now, deliveryChannel: 'hook', turnIndex: 0 },
    });
  });
});
