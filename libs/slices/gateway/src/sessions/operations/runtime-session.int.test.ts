import { deterministicId, newId } from '@steward/runtime';
import { APP_ROLES } from '@steward/database';
import { openTestSessions, WRITE_OPTIONS, type TestSessions } from '../testing/open-sessions.ts';
import { builtInTitleGenerator } from '../rules/session-title.ts';
import { appendSessionContent } from './append-session-content.ts';
import { endIdleSessions, endRuntimeSession } from './end-runtime-session.ts';
import {
  findRuntimeSessionsByIdentifier,
  listRuntimeSessions,
  readRuntimeSession,
  readSessionHeadings,
} from './read-runtime-sessions.ts';
import { generateTitles, storeSessionTitles } from './title-sessions.ts';
import { updateRuntimeSession } from './update-runtime-session.ts';
import { upsertRuntimeSession, type UpsertRuntimeSessionInput } from './upsert-runtime-session.ts';

const MINUTE_MS = 60_000;

let sessions: TestSessions;
beforeAll(async () => {
  sessions = await openTestSessions();
});
afterAll(() => sessions.close());

const upsert = (input: UpsertRuntimeSessionInput) =>
  sessions.run((trx, hints) => upsertRuntimeSession(trx, hints, input, WRITE_OPTIONS));
const end = (accountId: string, sessionId: string, now = new Date()) =>
  sessions.run((trx, hints) =>
    endRuntimeSession(trx, hints, { accountId, sessionId, reason: 'operator', now }, WRITE_OPTIONS),
  );
const countEvents = async (accountId: string) =>
  (await sessions.query('select 1 from webhooks.event where account_id = $1', [accountId])).length;
const readChunks = (sessionId: string) =>
  sessions.query<{ content: string }>('select content from search.chunk where runtime_session_id = $1', [sessionId]);

describe('opening a session', () => {
  it('makes one row of twenty calls at the same moment; one of them is told that it is new', async () => {
    const input = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => upsert(input)));
    expect(new Set(answers.map((answer) => answer.session.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
  });

  it('fills in what is new, replaces what is given and leaves the rest', async () => {
    const key = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const startedAt = new Date('2026-01-02T03:04:05.678Z');
    await upsert({ ...key, title: 'Old', sessionReference: 'REF', startedAt });
    const { session, created } = await upsert({ ...key, title: 'New', summary: 'Sum', runtimePrincipalId: 'bot' });
    expect(created).toBe(false);
    expect(session).toMatchObject({
      title: 'New',
      summary: 'Sum',
      sessionReference: 'REF',
      runtimePrincipalId: 'bot',
      startedAt,
    });
    expect((await readChunks(session.id)).map((chunk) => chunk.content)).toEqual(['New\nSum']);
  });

  it('keeps the summary in the corpus findable by the agent, flow and start filled in later', async () => {
    const key = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const { session } = await upsert({ ...key, title: 'Deploy' });
    const startedAt = new Date('2026-01-02T03:04:05.678Z');
    const flowId = newId();
    await upsert({ ...key, runtimePrincipalId: 'bot', flowId, startedAt });
    const chunks = await sessions.query(
      'select content, runtime_principal_id, flow_id, occurred_at from search.chunk where runtime_session_id = $1',
      [session.id],
    );
    expect(chunks).toEqual([
      { content: 'Deploy', runtime_principal_id: 'bot', flow_id: flowId, occurred_at: startedAt },
    ]);
  });

  it('keeps accounts apart that use the same source id', async () => {
    const key = { sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const [one, other] = [await upsert({ ...key, accountId: newId() }), await upsert({ ...key, accountId: newId() })];
    expect(other.created).toBe(true);
    const foreign = { accountId: one.session.accountId, sessionId: other.session.id };
    expect(await readRuntimeSession(sessions.database.db, foreign)).toBeUndefined();
  });

  it('does not reopen an ended session', async () => {
    const key = { accountId: newId(), sessionSourceType: 'ci', sessionSourceId: 'run', now: new Date() };
    const { session } = await upsert(key);
    await end(key.accountId, session.id);
    expect((await upsert({ ...key, title: 'Late' })).session).toMatchObject({ title: 'Late', endReason: 'operator' });
  });

  it('stores a blank title as none and odd characters as U+FFFD', async () => {
    const key = { accountId: newId(), sessionSourceType: 'a\u0000b', sessionSourceId: '\ud800', now: new Date() };
    const { session } = await upsert({ ...key, title: '  \n' });
    expect(session).toMatchObject({ title: null, sessionSourceType: 'a\uFFFDb', sessionSourceId: '\uFFFD' });
  });
});

describe('ending a session', () => {
  it('ends it once and fires one event, however many callers end it at the same moment', async () => {
    const { accountId, sessionId } = await sessions.openSession({ startedAt: new Date(Date.now() - 90_500) });
    await sessions.addEndpoint(accountId);
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => end(accountId, sessionId)));
    expect(outcomes.filter((outcome) => outcome.kind === 'ended')).toHaveLength(1);
    const records = outcomes.map((outcome) => ('session' in outcome ? outcome.session : undefined));
    for (const record of records) expect(record).toEqual(records[0]);

    const events = await sessions.query<{ id: string; body: Buffer }>(
      'select id, body from webhooks.event where account_id = $1',
      [accountId],
    );
    expect(events.map((event) => event.id)).toEqual([deterministicId('session.ended', sessionId)]);
    const { data } = JSON.parse(events[0]!.body.toString()) as { data: Record<string, unknown> };
    expect(data).toMatchObject({ runtime_session_id: sessionId, reason: 'operator' });
    expect(data.duration_seconds).toBeGreaterThanOrEqual(90.5);
  });

  it('does not know a session of another account', async () => {
    const { sessionId } = await sessions.openSession();
    expect(await end(newId(), sessionId)).toEqual({ kind: 'not_found' });
  });

  it('never reports a negative duration when the client clock runs ahead', async () => {
    const { accountId, sessionId } = await sessions.openSession({ startedAt: new Date(Date.now() + 3_600_000) });
    await sessions.addEndpoint(accountId);
    expect((await end(accountId, sessionId)).kind).toBe('ended');
    expect(await countEvents(accountId)).toBe(1);
  });
});

describe('the idle sweep', () => {
  const sweep = (now: Date, limit = 100) =>
    sessions.run((trx, hints) => endIdleSessions(trx, hints, { timeoutMinutes: 60, now, limit }, WRITE_OPTIONS));

  it('ends sessions nobody wrote to for the whole timeout, with reason idle and one event, and no other', async () => {
    const longAgo = new Date(Date.now() - 120 * MINUTE_MS);
    const idle = await sessions.openSession({ now: longAgo });
    await sessions.addEndpoint(idle.accountId);
    const fresh = await sessions.openSession({ now: new Date(Date.now() - 59 * MINUTE_MS) });
    const written = await sessions.openSession({ now: longAgo });
    const entries = [{ kind: 'flow_log' as const, text: 'still here' }];
    await sessions.run((trx, hints) =>
      appendSessionContent(trx, hints, { ...written, entries, now: new Date() }, WRITE_OPTIONS),
    );
    // What happened long ago may be imported now: the session is in use.
    const imported = await sessions.openSession({ startedAt: new Date('2020-01-01T00:00:00Z') });

    const ended = (await sweep(new Date())).map((session) => session.id);
    expect(ended).toContain(idle.sessionId);
    for (const kept of [fresh, written, imported]) expect(ended).not.toContain(kept.sessionId);
    expect(await readRuntimeSession(sessions.database.db, idle)).toMatchObject({ endReason: 'idle' });
    expect(await countEvents(idle.accountId)).toBe(1);
  });

  it('shares the work between processes: no session is ended twice and none is left', async () => {
    const longAgo = new Date(Date.now() - 120 * MINUTE_MS);
    const opened = await Promise.all(Array.from({ length: 30 }, () => sessions.openSession({ now: longAgo })));
    const batches = await Promise.all(Array.from({ length: 6 }, () => sweep(new Date(), 10)));
    batches.push(await sweep(new Date()));
    const ended = batches.flat().map((session) => session.id);
    expect(new Set(ended).size).toBe(ended.length);
    expect(ended).toEqual(expect.arrayContaining(opened.map((session) => session.sessionId)));
  });
});

describe('generated titles', () => {
  const titleAll = async (accountId: string, indexEnabled = true) => {
    const listed = await listRuntimeSessions(sessions.database.db, { accountId, limit: 50 });
    const titles = await generateTitles(builtInTitleGenerator, listed);
    return sessions.run((trx, hints) => storeSessionTitles(trx, hints, { accountId, titles }, { indexEnabled }));
  };

  it('come from the source first, from the words of the user once there are some, and then stay', async () => {
    const key = await sessions.openSession({ sessionSourceId: 'run-9' });
    expect(await titleAll(key.accountId)).toMatchObject([{ title: 'test run-9', titleOrigin: 'generated' }]);
    const entries = [{ kind: 'transcript_message' as const, role: 'user', content: 'Repair the login page' }];
    await sessions.run((trx, hints) =>
      appendSessionContent(trx, hints, { ...key, entries, now: new Date() }, WRITE_OPTIONS),
    );
    expect(await titleAll(key.accountId)).toMatchObject([{ title: 'Repair the login page' }]);
    expect(await titleAll(key.accountId)).toEqual([]);
    const chunks = await sessions.query<{ content: string }>(
      `select content from search.chunk where runtime_session_id = $1 and source_id = $1::text`,
      [key.sessionId],
    );
    expect(chunks.map((chunk) => chunk.content)).toEqual(['Repair the login page']);
  });

  it('never replace the title of a client, also when it came a moment ago', async () => {
    const key = await sessions.openSession();
    const titles = [{ sessionId: key.sessionId, title: 'made up' }];
    const input = { ...key, title: 'Chosen', now: new Date() };
    await sessions.run((trx, hints) => updateRuntimeSession(trx, hints, input, WRITE_OPTIONS));
    const changed = await sessions.run((trx, hints) =>
      storeSessionTitles(trx, hints, { accountId: key.accountId, titles }, WRITE_OPTIONS),
    );
    expect(changed).toEqual([]);
    expect(await readRuntimeSession(sessions.database.db, key)).toMatchObject({
      title: 'Chosen',
      titleOrigin: 'client',
    });
  });

  it('are stored without a chunk while the index is off', async () => {
    const key = await sessions.openSession();
    expect(await titleAll(key.accountId, false)).toHaveLength(1);
    expect(await readChunks(key.sessionId)).toEqual([]);
  });
});

describe('changing title and summary', () => {
  it('replaces the chunk of the session; clearing both removes it', async () => {
    const key = await sessions.openSession({ title: 'First' });
    const update = (texts: { title?: string | null; summary?: string | null }) =>
      sessions.run((trx, hints) =>
        updateRuntimeSession(trx, hints, { ...key, ...texts, now: new Date() }, WRITE_OPTIONS),
      );
    await update({ title: 'Second' });
    expect((await readChunks(key.sessionId)).map((chunk) => chunk.content)).toEqual(['Second']);
    expect(await update({ title: null, summary: '' })).toMatchObject({ title: null, summary: null, titleOrigin: null });
    expect(await readChunks(key.sessionId)).toEqual([]);
  });
});

describe('finding sessions', () => {
  it('lists newest start first, page after page, each session once', async () => {
    const accountId = newId();
    const same = new Date('2026-05-05T05:05:05.555Z');
    for (let index = 0; index < 7; index += 1) await sessions.openSession({ accountId, startedAt: same });
    const seen: string[] = [];
    let after: { startedAt: Date; id: string } | undefined;
    for (;;) {
      const page = await listRuntimeSessions(sessions.database.db, { accountId, after, limit: 3 });
      seen.push(...page.map((session) => session.id));
      const last = page.at(-1);
      if (last === undefined) break;
      after = { startedAt: last.startedAt, id: last.id };
    }
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
    expect(seen).toHaveLength(7);
  });

  it('finds a session by every identifier it has, in the own account only', async () => {
    const [executionId, apiKeyId] = [newId(), newId()];
    const { accountId, sessionId } = await sessions.openSession({
      sessionSourceId: 'src-1',
      sessionReference: 'REF-1',
      executionId,
      apiKeyId,
    });
    const { db } = sessions.database;
    for (const text of [sessionId, 'src-1', 'REF-1', executionId, apiKeyId]) {
      const found = await findRuntimeSessionsByIdentifier(db, { accountId, text, limit: 5 });
      expect(found.map((session) => session.id)).toEqual([sessionId]);
      expect(await findRuntimeSessionsByIdentifier(db, { accountId: newId(), text, limit: 5 })).toEqual([]);
    }
    const headings = await readSessionHeadings(db, { accountId, sessionIds: [sessionId, newId()] });
    expect([...headings.keys()]).toEqual([sessionId]);
    expect(await readRuntimeSession(db, { accountId, sessionId })).toMatchObject({ ...headings.get(sessionId) });
    expect(Object.keys(headings.get(sessionId) ?? {})).toHaveLength(8);
    expect((await readSessionHeadings(db, { accountId: newId(), sessionIds: [sessionId] })).size).toBe(0);
  });
});

describe('database roles', () => {
  it('let the sweeper read history and nothing more', async () => {
    const { pool } = sessions.connectAs(APP_ROLES.backfillSweeper);
    await pool.query('select 1 from gateway.runtime_session, gateway.session_content limit 1');
    await expect(pool.query('delete from gateway.session_content')).rejects.toThrow(/permission denied/);
    await expect(pool.query('select 1 from gateway.operator_note')).rejects.toThrow(/permission denied/);
  });

  it('let a flow open and close sessions and write logs, but delete nothing', async () => {
    const { pool } = sessions.connectAs(APP_ROLES.flowTrigger);
    await pool.query('update gateway.runtime_session set updated_at = updated_at where false');
    for (const statement of [
      'delete from gateway.runtime_session',
      'update gateway.session_content set role = null',
      'select 1 from gateway.operator_note',
    ]) {
      await expect(pool.query(statement)).rejects.toThrow(/permission denied/);
    }
  });
});
