import { deterministicId, newId } from '@steward/crypto';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { logLine, useSessions } from '../../testing/use-sessions.ts';
import { sendOperatorNote } from './send-operator-note.ts';

const sessions = useSessions();

describe('operator notes (SESS-15, SESS-16)', () => {
  const author = { userId: newId(), display: 'Dana', authMethod: 'token' as const };
  type Target = Parameters<typeof sendOperatorNote>[2]['target'];
  type Fields = Partial<Parameters<typeof sendOperatorNote>[2]>;
  const toInput = (accountId: string, target: Target, fields: Fields = {}) => ({
    ...{ accountId, target, text: 'hold on', author, expiresAt: null, now: new Date() },
    ...fields,
  });
  const send = (accountId: string, target: Target, fields: Fields = {}) =>
    sessions.run((trx, hints) => sendOperatorNote(trx, hints, toInput(accountId, target, fields), WRITE_OPTIONS));
  it('reach the agent’s most recently used open session, with one event that contains the text', async () => {
    const accountId = newId();
    await sessions.addEndpoint(accountId);
    const agent = { accountId, runtimePrincipalType: 'managed_agent', runtimePrincipalId: 'bot' };
    await sessions.openSession({ ...agent, now: new Date(Date.now() - 5000) });
    const current = await sessions.openSession(agent);
    const ended = await sessions.openSession({ ...agent, now: new Date(Date.now() + 5000) });
    await sessions.end(ended);

    const outcome = await send(accountId, { managedAgentId: 'bot' });
    expect(outcome).toMatchObject({
      kind: 'sent',
      note: { runtimeSessionId: current.sessionId, managedAgentId: 'bot' },
    });
    expect(await sessions.readTimeline(current)).toMatchObject([
      { kind: 'operator_note', content: 'hold on', role: 'operator' },
    ]);
    expect((await sessions.readChunks(current)).map((chunk) => chunk.content)).toEqual(['hold on']);
    const notes = (await sessions.readEvents(accountId)).filter((event) => event.type === 'agent.note_sent');
    expect(notes).toHaveLength(1);
    expect(notes[0]!.data).toMatchObject({ text: 'hold on', author: { display: 'Dana', auth_method: 'token' } });
  });

  it('are stored for readers of an ended session, but not as delivered to an agent', async () => {
    const key = await sessions.openSession();
    await sessions.end(key);
    await sessions.addEndpoint(key.accountId);
    expect(await send(key.accountId, { sessionId: key.sessionId })).toMatchObject({ kind: 'sent' });
    expect(await sessions.readEvents(key.accountId)).toEqual([]);
  });

  it('reach no agent without an open session and no session of another account', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    expect(await send(key.accountId, { managedAgentId: 'other' })).toEqual({
      kind: 'not_found',
      missing: 'managed_agent',
    });
    expect(await send(newId(), { managedAgentId: 'bot' })).toEqual({ kind: 'not_found', missing: 'managed_agent' });
    expect(await send(newId(), { sessionId: key.sessionId })).toEqual({ kind: 'not_found', missing: 'session' });
  });

  it('go to the agent’s session with the latest activity, not to the one opened last', async () => {
    const accountId = newId();
    const busy = await sessions.openSession({ accountId, runtimePrincipalId: 'bot' });
    await sessions.openSession({ accountId, runtimePrincipalId: 'bot' });
    await sessions.append(busy, [logLine('still working')], WRITE_OPTIONS, new Date(Date.now() + 1000));
    expect(await send(accountId, { managedAgentId: 'bot' })).toMatchObject({
      note: { runtimeSessionId: busy.sessionId },
    });
  });

  it.each(['Bot', 'bot ', 'b%', ''])('do not match %j to an agent called bot', async (managedAgentId) => {
    const { accountId } = await sessions.openSession({ runtimePrincipalId: 'bot' });
    expect((await send(accountId, { managedAgentId })).kind).toBe('not_found');
  });

  it('find an agent by its stored id, including unusual characters (API-7)', async () => {
    const { accountId, sessionId } = await sessions.openSession({ runtimePrincipalId: 'bot\u0000\ud800' });
    expect(await send(accountId, { managedAgentId: 'bot\u0000\ud800' })).toMatchObject({
      note: { runtimeSessionId: sessionId, managedAgentId: 'bot\uFFFD\uFFFD' },
    });
  });

  it('store text, author and expiry as given, in storable form', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    await sessions.addEndpoint(key.accountId);
    const now = new Date('2026-11-22T12:00:00.000Z');
    const expiresAt = new Date('2026-11-22T12:01:00.000Z');
    const outcome = await send(key.accountId, key, {
      text: 'a\u0000b',
      expiresAt,
      now,
      author: { ...author, display: 'D\ud800' },
    });
    expect(outcome).toMatchObject({ kind: 'sent', note: { text: 'a\uFFFDb', expiresAt, createdAt: now } });
    const rows = await sessions.query('select * from gateway.operator_note where runtime_session_id = $1', [
      key.sessionId,
    ]);
    expect(rows).toMatchObject([
      { author_display: 'D\uFFFD', author_auth_method: 'token', expires_at: expiresAt, delivered_at: null },
    ]);
    expect(await sessions.readTimeline(key)).toMatchObject([
      { kind: 'operator_note', content: 'a\uFFFDb', occurredAt: now },
    ]);
  });

  it('have the id of their content, and a derived event id', async () => {
    const key = await sessions.openSession();
    await sessions.addEndpoint(key.accountId);
    const outcome = await send(key.accountId, key);
    const [row] = await sessions.readTimeline(key);
    expect(outcome).toMatchObject({ note: { id: row!.id } });
    expect((await sessions.readEvents(key.accountId)).map(({ id }) => id)).toEqual([
      deterministicId('agent.note_sent', row!.id),
    ]);
  });

  it('leave nothing behind when the transaction fails: no content, note or event', async () => {
    const key = await sessions.openSession();
    await sessions.addEndpoint(key.accountId);
    const failing = sessions.run(async (trx, hints) => {
      await sendOperatorNote(trx, hints, toInput(key.accountId, key), WRITE_OPTIONS);
      throw new Error('fault before the answer');
    });
    await expect(failing).rejects.toThrow('fault before the answer');
    const notes = await sessions.query('select 1 from gateway.operator_note where account_id = $1', [key.accountId]);
    expect([await sessions.readTimeline(key), notes, await sessions.readEvents(key.accountId)]).toEqual([[], [], []]);
  });

  it('are all stored under simultaneous requests', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    await sessions.addEndpoint(key.accountId);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send(key.accountId, { managedAgentId: 'bot' }, { text: `note ${index}` }),
      ),
    );
    expect(await sessions.readTimeline(key)).toHaveLength(10);
    expect(await sessions.readEvents(key.accountId)).toHaveLength(10);
  });

  it('do not move the last activity beyond their own time', async () => {
    const now = new Date(Date.now() + 3_600_000);
    const key = await sessions.openSession();
    await send(key.accountId, key, { now });
    expect((await sessions.read(key))?.lastActivityAt).toEqual(now);
  });
});
