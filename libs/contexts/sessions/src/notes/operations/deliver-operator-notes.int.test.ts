import { newId } from '@steward/crypto';
import { deleteRuntimeSession } from '../../deletion/operations/delete-runtime-session.ts';
import { useNotes } from '../../testing/use-notes.ts';
import { interaction, useSessions } from '../../testing/use-sessions.ts';
import { extendNoteClaims, hasPendingNotes, releaseNotes } from '../store/note-claim.store.ts';

const sessions = useSessions();
const { send, claim, deliver, lose, wearOut, find } = useNotes(sessions);

describe('a note during delivery (SESS-32)', () => {
  it('is held by only one caller until it is released or its claim expires', async () => {
    const key = await sessions.openSession();
    await send(key.accountId, key);
    const first = await claim(key.accountId, key);
    expect([first.texts, (await claim(key.accountId, key)).texts]).toEqual([['hold on'], []]);
    await releaseNotes(sessions.db(), { ...key, token: first.token });
    const second = await claim(key.accountId, key);
    await lose(second.token);
    expect((await claim(key.accountId, key)).texts).toEqual(['hold on']);
  });

  it('remains claimed while its holder extends the claim; a holder whose claim has expired releases nothing', async () => {
    const key = await sessions.openSession();
    await send(key.accountId, key);
    const held = await claim(key.accountId, key);
    await wearOut(held.token);
    await extendNoteClaims(sessions.db(), [held.token]);
    const [row] = await sessions.query<{ left: number }>(
      'select extract(epoch from claimed_until - now())::float as left from gateway.operator_note where claim_token = $1',
      [held.token],
    );
    expect(row!.left).toBeGreaterThan(30);
    await lose(held.token);
    await extendNoteClaims(sessions.db(), [held.token]);
    expect((await claim(key.accountId, key)).texts).toEqual(['hold on']);
  });

  it('is delivered once, by its current holder: a previous holder delivers nothing', async () => {
    const key = await sessions.openSession();
    await sessions.addEndpoint(key.accountId);
    const { id } = await send(key.accountId, key);
    await sessions.append(key, [interaction('a', 'b'), interaction('c', 'd')]);
    const lost = await claim(key.accountId, key);
    await lose(lost.token);
    const held = await claim(key.accountId, key);
    await deliver(key.accountId, lost.token, key);
    expect(await find(key.accountId, id)).toMatchObject({ state: 'pending' });
    await Promise.all([deliver(key.accountId, held.token, key), deliver(key.accountId, held.token)]);
    expect(await find(key.accountId, id)).toMatchObject({ state: 'delivered', turnIndex: 3 });
    const events = (await sessions.readEvents(key.accountId)).filter(({ type }) => type === 'agent.note_delivered');
    expect(events).toMatchObject([{ data: { note_id: id, text: 'hold on', turn_index: 3 } }]);
    expect(await hasPendingNotes(sessions.db(), key.accountId)).toBe(false);
  });
});

describe('a note that waits for a session', () => {
  it('goes only to the run of its execution, not to another run of its flow', async () => {
    const accountId = newId();
    const [flowId, executionId] = [newId(), newId()];
    await send(accountId, { executionId, managedAgentId: flowId });
    expect((await claim(accountId, { executionId: newId(), agentId: flowId })).texts).toEqual([]);
    expect((await claim(accountId, { executionId })).texts).toEqual(['hold on']);
  });

  it('becomes content of its session, under the same id, and its text is no longer stored separately', async () => {
    const key = await sessions.openSession();
    const { id } = await send(key.accountId, { managedAgentId: 'bot', isKnown: true });
    const { token } = await claim(key.accountId, { agentId: 'bot' });
    await deliver(key.accountId, token, key);
    expect(await sessions.readTimeline(key)).toMatchObject([{ id, kind: 'operator_note', content: 'hold on' }]);
    const rows = await sessions.query('select text, runtime_session_id from gateway.operator_note where id = $1', [id]);
    expect(rows).toEqual([{ text: null, runtime_session_id: key.sessionId }]);
    expect(await find(key.accountId, id)).toMatchObject({ text: 'hold on' });
  });

  it('retains its text if it was not added to a session', async () => {
    const accountId = newId();
    const { id } = await send(accountId, { managedAgentId: 'bot', isKnown: true });
    const { token } = await claim(accountId, { agentId: 'bot' });
    await deliver(accountId, token);
    expect(await find(accountId, id)).toMatchObject({
      ...{ state: 'delivered', text: 'hold on', runtimeSessionId: null, turnIndex: null },
    });
  });

  it('is not added to a session that was deleted meanwhile, and is not hidden with it (SESS-19)', async () => {
    const key = await sessions.openSession();
    const { id } = await send(key.accountId, { managedAgentId: 'bot', isKnown: true });
    const { token } = await claim(key.accountId, { agentId: 'bot' });
    await sessions.run((trx) => deleteRuntimeSession(trx, key));
    await deliver(key.accountId, token, key);
    expect(await find(key.accountId, id)).toMatchObject({
      state: 'delivered',
      text: 'hold on',
      runtimeSessionId: null,
    });
  });
});
