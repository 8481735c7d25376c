import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { useSessions } from '../../testing/use-sessions.ts';
import type { UpsertRuntimeSessionInput } from './upsert-runtime-session.ts';

const sessions = useSessions();

describe('opening a session (SESS-1)', () => {
  it('creates one row for twenty concurrent calls, one of which reports that the session is new', async () => {
    const input = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => sessions.upsert(input)));
    expect(new Set(answers.map((answer) => answer.session.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
  });

  it('adds new fields, replaces given ones and retains the rest', async () => {
    const key = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const startedAt = new Date('2026-01-02T03:04:05.678Z');
    await sessions.upsert({ ...key, title: 'Old', sessionReference: 'REF', startedAt });
    const { session, created } = await sessions.upsert({
      ...key,
      title: 'New',
      summary: 'Sum',
      runtimePrincipalId: 'bot',
    });
    expect(created).toBe(false);
    expect(session).toMatchObject({
      title: 'New',
      summary: 'Sum',
      sessionReference: 'REF',
      runtimePrincipalId: 'bot',
      startedAt,
    });
    expect((await sessions.readChunks({ sessionId: session.id })).map((chunk) => chunk.content)).toEqual(['New\nSum']);
  });

  it('updates the summary in the corpus so that it is found by agent, flow and start added later', async () => {
    const key = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const { session } = await sessions.upsert({ ...key, title: 'Deploy' });
    const startedAt = new Date('2026-01-02T03:04:05.678Z');
    const flowId = newId();
    await sessions.upsert({ ...key, runtimePrincipalId: 'bot', flowId, startedAt });
    const chunks = await sessions.query(
      'select content, runtime_principal_id, flow_id, occurred_at from search.chunk where runtime_session_id = $1',
      [session.id],
    );
    expect(chunks).toEqual([
      { content: 'Deploy', runtime_principal_id: 'bot', flow_id: flowId, occurred_at: startedAt },
    ]);
  });

  it('separates accounts that use the same source id', async () => {
    const key = { sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const [one, other] = [
      await sessions.upsert({ ...key, accountId: newId() }),
      await sessions.upsert({ ...key, accountId: newId() }),
    ];
    expect(other.created).toBe(true);
    const foreign = { accountId: one.session.accountId, sessionId: other.session.id };
    expect(await sessions.read(foreign)).toBeUndefined();
  });

  it('does not reopen an ended session (SESS-3)', async () => {
    const key = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const { session } = await sessions.upsert(key);
    await sessions.end({ accountId: key.accountId, sessionId: session.id });
    expect((await sessions.upsert({ ...key, title: 'Late' })).session).toMatchObject({
      title: 'Late',
      endReason: 'operator',
    });
  });

  it('stores a blank title as none and invalid characters as U+FFFD (SESS-2, API-7)', async () => {
    const key = { accountId: newId(), sessionSourceType: 'a\u0000b', sessionSourceId: '\ud800', now: new Date() };
    const { session } = await sessions.upsert({ ...key, title: '  \n' });
    expect(session).toMatchObject({ title: null, sessionSourceType: 'a\uFFFDb', sessionSourceId: '\uFFFD' });
  });

  it('stores for each field the last non-blank value, for every order of calls', async () => {
    const text = fc.option(fc.constantFrom('', '  ', '\n\t', 'one', 'two', ' three '), { nil: undefined });
    const given = fc.record({
      sessionReference: text,
      runtimePrincipalId: text,
      runtimePrincipalName: fc.option(fc.constantFrom('', 'Bot')),
      title: text,
      summary: fc.option(fc.constantFrom(' ', 'sum')),
    });
    const fields = ['sessionReference', 'runtimePrincipalId', 'runtimePrincipalName', 'title', 'summary'] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 4 }), async (calls) => {
        const key = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
        const expected: Record<string, string | null> = {};
        for (const call of calls) {
          const { session } = await sessions.upsert({ ...key, ...call });
          for (const field of fields) {
            const value = call[field];
            expected[field] =
              value === undefined || value === null || value.trim() === '' ? (expected[field] ?? null) : value;
            expect([field, session[field]]).toEqual([field, expected[field]]);
          }
          expect(session.titleOrigin).toBe(expected['title'] === null ? null : 'client');
        }
      }),
      { numRuns: 20 },
    );
  });

  it('identifies a session by type and id together, not by either of them', async () => {
    const accountId = newId();
    const pairs = [
      ['ci', 'run'],
      ['CI', 'run'],
      ['ci', 'Run'],
      ['ci', 'run '],
      ['c', 'irun'],
      ['ci run', ''],
      ['', 'ci run'],
    ] as const;
    const ids = new Set<string>();
    for (const [sessionSourceType, sessionSourceId] of [...pairs, ...pairs])
      ids.add((await sessions.upsert({ accountId, sessionSourceType, sessionSourceId, now: new Date() })).session.id);
    expect(ids.size).toBe(pairs.length);
  });

  it('retains the key that opened it, and its start unless a different one is given', async () => {
    const now = new Date('2026-11-22T12:00:00.000Z');
    const key = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now };
    const [first, second] = [newId(), newId()];
    await sessions.upsert({ ...key, apiKeyId: first });
    const later = new Date('2026-11-22T13:00:00.000Z');
    expect((await sessions.upsert({ ...key, apiKeyId: second, now: later })).session).toMatchObject({
      apiKeyId: first,
      startedAt: now,
      createdAt: now,
      updatedAt: later,
    });
  });

  it('records no activity in the future for a start in the future (SESS-5)', async () => {
    const now = new Date('2026-11-22T12:00:00.000Z');
    const startedAt = new Date('2026-11-23T12:00:00.000Z');
    const { session } = await sessions.upsert({
      ...{ accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now, startedAt },
    });
    expect(session).toMatchObject({ startedAt, lastActivityAt: now });
  });

  it('stores the fields of both of two concurrent calls, of which the second waits for the first', async () => {
    const key = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const [first, second] = await sessions.overlap(
      (trx, hints) => sessions.upsertIn(trx, hints, { ...key, title: 'First', sessionReference: 'REF' }),
      () => sessions.upsert({ ...key, title: 'Second', summary: 'Sum' }),
    );
    expect([first.created, second.created]).toEqual([true, false]);
    expect(second.session).toMatchObject({
      id: first.session.id,
      title: 'Second',
      sessionReference: 'REF',
      summary: 'Sum',
    });
    expect((await sessions.readChunks({ sessionId: first.session.id })).map((chunk) => chunk.content)).toEqual([
      'Second\nSum',
    ]);
  });

  it('leaves nothing if it failed: the next call creates the session', async () => {
    const key = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const failing = sessions.run(async (trx, hints) => {
      await sessions.upsertIn(trx, hints, { ...key, title: 'Lost' });
      throw new Error('fault before the answer');
    });
    await expect(failing).rejects.toThrow('fault before the answer');
    expect(await sessions.upsert(key)).toMatchObject({ created: true, session: { title: null } });
  });
});

describe('the agent of a session (SESS-6)', () => {
  const agent = (id: string) => ({
    runtimePrincipalType: 'managed_agent',
    runtimePrincipalId: id,
    runtimePrincipalName: id.toUpperCase(),
  });
  const open = (fields: Partial<UpsertRuntimeSessionInput>, accountId = newId()) => {
    const key = { accountId, sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    return sessions.upsert({ ...key, ...fields });
  };

  it('is not replaced by any caller or in any field if it was named by its own key', async () => {
    const { session } = await open({ ...agent('bot-1'), principalVerified: true });
    const { accountId } = session;
    const tries = [
      agent('bot-2'),
      { runtimePrincipalName: 'Impostor' },
      { ...agent('bot-2'), principalVerified: true },
      { runtimePrincipalType: 'flow' },
    ];
    for (const fields of tries)
      expect((await open(fields, accountId)).session).toMatchObject({ ...agent('bot-1'), principalVerified: true });
  });

  it('can be replaced if it was named only by a caller, and does not become verified by that', async () => {
    const { session } = await open(agent('bot-1'));
    expect(session.principalVerified).toBe(false);
    const { accountId } = session;
    expect((await open({ ...agent('bot-2'), principalVerified: true }, accountId)).session).toMatchObject({
      ...agent('bot-2'),
      principalVerified: false,
    });
  });

  it('is the agent of the first of two concurrent requests', async () => {
    const accountId = newId();
    const key = { accountId, sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const [, second] = await sessions.overlap(
      (trx, hints) => sessions.upsertIn(trx, hints, { ...key, ...agent('bot-1'), principalVerified: true }),
      () => open({ ...agent('bot-2'), principalVerified: true }, accountId),
    );
    expect(second.session).toMatchObject({ ...agent('bot-1'), principalVerified: true });
  });
});
