import { deterministicId, newId } from '@steward/crypto';
import { SESSION_END_REASONS } from '@steward/contracts';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { message, useSessions } from '../../testing/use-sessions.ts';
import { endRuntimeSession } from './end-runtime-session.ts';

const sessions = useSessions();

describe('ending a session (SESS-3)', () => {
  it('ends it once and emits one event, under simultaneous requests', async () => {
    const { accountId, sessionId } = await sessions.openSession({ startedAt: new Date(Date.now() - 90_500) });
    await sessions.addEndpoint(accountId);
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => sessions.end({ accountId, sessionId })));
    expect(outcomes.filter((outcome) => outcome.kind === 'ended')).toHaveLength(1);
    const records = outcomes.map((outcome) => ('session' in outcome ? outcome.session : undefined));
    for (const record of records) expect(record).toEqual(records[0]);

    const events = await sessions.readEvents(accountId);
    expect(events.map((event) => event.id)).toEqual([deterministicId('session.ended', sessionId)]);
    const { data } = events[0]!;
    expect(data).toMatchObject({ runtime_session_id: sessionId, reason: 'operator' });
    expect(data.duration_seconds).toBeGreaterThanOrEqual(90.5);
  });

  it('refuses a session of another account', async () => {
    const { sessionId } = await sessions.openSession();
    expect(await sessions.end({ accountId: newId(), sessionId })).toEqual({ kind: 'not_found' });
  });

  it('never reports a negative duration if the client clock is ahead', async () => {
    const { accountId, sessionId } = await sessions.openSession({ startedAt: new Date(Date.now() + 3_600_000) });
    await sessions.addEndpoint(accountId);
    expect((await sessions.end({ accountId, sessionId })).kind).toBe('ended');
    expect((await sessions.readEvents(accountId)).length).toBe(1);
  });

  it.each(SESSION_END_REASONS)('retains the reason %s: a later reason does not replace it', async (reason) => {
    const key = await sessions.openSession();
    const endWith = (other: typeof reason, now: Date) =>
      sessions.run((trx, hints) => endRuntimeSession(trx, hints, { ...key, reason: other, now }, WRITE_OPTIONS));
    const endedAt = new Date('2026-11-22T12:00:00.000Z');
    expect(await endWith(reason, endedAt)).toMatchObject({ kind: 'ended', session: { endReason: reason, endedAt } });
    for (const other of SESSION_END_REASONS)
      expect(await endWith(other, new Date())).toMatchObject({
        kind: 'already_ended',
        session: { endReason: reason, endedAt },
      });
  });

  it('is not undone by opening it again, by content, by a new title, or by a note', async () => {
    const source = { sessionSourceType: 'ci', sessionSourceId: newId() };
    const key = await sessions.openSession(source);
    await sessions.end(key);
    await sessions.upsert({ accountId: key.accountId, ...source, title: 'Late', now: new Date() });
    await sessions.append(key, [message('late')]);
    const ended = await sessions.read(key);
    expect(ended).toMatchObject({ endReason: 'operator', title: 'Late' });
    expect(ended?.endedAt).not.toBeNull();
  });

  it('has no effect and no event if its transaction failed', async () => {
    const key = await sessions.openSession();
    await sessions.addEndpoint(key.accountId);
    const failing = sessions.run(async (trx, hints) => {
      await sessions.endIn(trx, hints, key);
      throw new Error('fault before the answer');
    });
    await expect(failing).rejects.toThrow('fault before the answer');
    expect(await sessions.read(key)).toMatchObject({ endedAt: null, endReason: null });
    expect(await sessions.readEvents(key.accountId)).toEqual([]);
    expect((await sessions.end(key)).kind).toBe('ended');
  });

  it('is refused for an unknown session', async () => {
    const { accountId } = await sessions.openSession();
    expect(await sessions.end({ accountId, sessionId: newId() })).toEqual({ kind: 'not_found' });
  });

  it('emits an event with who ended it and when (EVT-4)', async () => {
    const startedAt = new Date('2026-11-22T11:00:00.000Z');
    const now = new Date('2026-11-22T12:00:00.500Z');
    const agent = { runtimePrincipalType: 'managed_agent', runtimePrincipalId: 'bot', runtimePrincipalName: null };
    const key = await sessions.openSession({ ...agent, sessionSourceId: 'run-1', startedAt });
    await sessions.addEndpoint(key.accountId);
    await sessions.end(key, now);
    expect(await sessions.readEvents(key.accountId)).toMatchObject([
      {
        type: 'session.ended',
        data: {
          runtime_session_id: key.sessionId,
          reason: 'operator',
          session_source_type: 'test',
          session_source_id: 'run-1',
          runtime_principal_type: 'managed_agent',
          runtime_principal_id: 'bot',
          runtime_principal_name: null,
          started_at: startedAt.toISOString(),
          ended_at: now.toISOString(),
          duration_seconds: 3600.5,
        },
      },
    ]);
  });
});
