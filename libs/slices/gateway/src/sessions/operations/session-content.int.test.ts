import { newId } from '@steward/runtime';
import { eventually } from '@steward/testing';
import type { SessionWriteOptions } from '../runtime-session.ts';
import type { SessionContentEntry } from '../session-content.ts';
import { openTestSessions, WRITE_OPTIONS, type TestSessions } from '../testing/open-sessions.ts';
import { appendSessionContent } from './append-session-content.ts';
import { endRuntimeSession } from './end-runtime-session.ts';
import { listSessionChunkSources } from './list-chunk-sources.ts';
import { listSessionTimeline, TIMELINE_PAGE_BYTES } from './list-session-timeline.ts';
import { readRuntimeSession } from './read-runtime-sessions.ts';
import { sendOperatorNote } from './send-operator-note.ts';

let sessions: TestSessions;
beforeAll(async () => {
  sessions = await openTestSessions();
});
afterAll(() => sessions.close());

interface Key {
  readonly accountId: string;
  readonly sessionId: string;
}

const append = (
  key: Key,
  entries: SessionContentEntry[],
  options: SessionWriteOptions = WRITE_OPTIONS,
  now = new Date(),
) => sessions.run((trx, hints) => appendSessionContent(trx, hints, { ...key, entries, now }, options));
const readTimeline = (key: Key) => listSessionTimeline(sessions.database.db, { ...key, limit: 200 });
const readChunks = (key: Key) =>
  sessions.query<{ content: string; source_id: string }>(
    'select content, source_id from search.chunk where runtime_session_id = $1',
    [key.sessionId],
  );
const message = (content: unknown, externalId?: string): SessionContentEntry => ({
  kind: 'transcript_message',
  role: 'user',
  content,
  externalId,
});
const interaction = (request: unknown, response: unknown): SessionContentEntry => ({
  kind: 'gateway_interaction',
  modelAlias: 'fast',
  providerName: 'acme',
  request,
  response,
});

describe('storing content', () => {
  it('writes every kind with its chunk, and the timeline shows all in order with their bodies', async () => {
    const key = await sessions.openSession();
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
    const outcome = await append(key, [
      { ...interaction({ prompt: 'alpha' }, 'beta'), occurredAt: at(3) } as SessionContentEntry,
      {
        kind: 'tool_call',
        toolName: 'bash',
        arguments: { cmd: 'gamma' },
        result: null,
        status: 'error',
        occurredAt: at(1),
      },
      { ...message('delta'), occurredAt: at(2) } as SessionContentEntry,
      { kind: 'flow_log', text: 'epsilon', step: 'clone', level: 'warn', occurredAt: at(2) },
    ]);
    expect(outcome).toMatchObject({ kind: 'stored', skipped: 0 });
    const { items, hasMore } = await readTimeline(key);
    expect(hasMore).toBe(false);
    expect(items.map(({ kind, content }) => [kind, content])).toEqual([
      ['tool_call', { arguments: { cmd: 'gamma' }, result: null }],
      ['transcript_message', 'delta'],
      ['flow_log', 'epsilon'],
      ['gateway_interaction', { request: { prompt: 'alpha' }, response: 'beta' }],
    ]);
    const chunks = await readChunks(key);
    expect(chunks.map((chunk) => chunk.source_id).sort()).toEqual(items.map((item) => item.id).sort());
  });

  it('leaves neither content nor chunks nor a message behind when the transaction fails', async () => {
    const key = await sessions.openSession();
    const hintsBefore = sessions.hints.length;
    const failing = sessions.run(async (trx, hints) => {
      await appendSessionContent(trx, hints, { ...key, entries: [message('lost')], now: new Date() }, WRITE_OPTIONS);
      throw new Error('fault after the write');
    });
    await expect(failing).rejects.toThrow('fault after the write');
    expect((await readTimeline(key)).items).toEqual([]);
    expect(await readChunks(key)).toEqual([]);
    expect(sessions.hints).toHaveLength(hintsBefore);
  });

  it('keeps a thousand messages of one moment in their order, and imports none of them twice', async () => {
    const key = await sessions.openSession();
    const messages = Array.from({ length: 1000 }, (_, index) => message(`line ${index}`, `m${index}`));
    expect(await append(key, messages)).toMatchObject({ skipped: 0 });
    expect(await append(key, messages.slice(500))).toMatchObject({ stored: [], skipped: 500 });
    const pages: string[] = [];
    let after: { occurredAt: Date; id: string } | undefined;
    for (let hasMore = true; hasMore;) {
      const page = await listSessionTimeline(sessions.database.db, { ...key, after, limit: 170 });
      pages.push(...page.items.map((item) => String(item.content)));
      after = page.items.at(-1);
      hasMore = page.hasMore;
    }
    expect(pages).toEqual(messages.map((_, index) => `line ${index}`));
  });

  it('lets two imports of the same messages in opposite order take turns instead of blocking each other', async () => {
    const key = await sessions.openSession();
    const waitForBlockedImport = () =>
      eventually(async () => {
        const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return (await sessions.query(blocked)).length > 0;
      });
    const importBoth = (first: string, second: string, between: () => Promise<unknown>) =>
      sessions.run(async (trx, hints) => {
        const input = { ...key, now: new Date() };
        await appendSessionContent(trx, hints, { ...input, entries: [message(first, first)] }, WRITE_OPTIONS);
        await between();
        return appendSessionContent(trx, hints, { ...input, entries: [message(second, second)] }, WRITE_OPTIONS);
      });
    let other: Promise<unknown> = Promise.resolve();
    await importBoth('a', 'b', () => {
      other = importBoth('b', 'a', () => Promise.resolve());
      return waitForBlockedImport();
    });
    expect(await other).toMatchObject({ kind: 'stored', skipped: 1 });
    expect((await readTimeline(key)).items.map((item) => item.externalId)).toEqual(['a', 'b']);
  });

  it('takes the first of two messages with one external id in one import', async () => {
    const key = await sessions.openSession();
    expect(await append(key, [message('one', 'x'), message('two', 'x'), message('three')])).toMatchObject({
      skipped: 1,
    });
    expect((await readTimeline(key)).items.map((item) => item.content)).toEqual(['one', 'three']);
  });

  it('takes content for an ended session and leaves it ended', async () => {
    const key = await sessions.openSession();
    await sessions.run((trx, hints) =>
      endRuntimeSession(trx, hints, { ...key, reason: 'operator', now: new Date() }, WRITE_OPTIONS),
    );
    const ended = await readRuntimeSession(sessions.database.db, key);
    await append(key, [message('late telemetry')]);
    expect(await readRuntimeSession(sessions.database.db, key)).toMatchObject({
      endedAt: ended?.endedAt,
      endReason: 'operator',
    });
    expect(await readChunks(key)).toHaveLength(1);
  });

  it('moves the last activity forward only, and never past now', async () => {
    const now = new Date('2026-06-01T12:00:00.000Z');
    const key = await sessions.openSession({ startedAt: new Date('2026-06-01T11:00:00Z'), now });
    const activity = async (occurredAt: string) => {
      await append(key, [{ kind: 'flow_log', text: 'x', occurredAt: new Date(occurredAt) }], WRITE_OPTIONS, now);
      return (await readRuntimeSession(sessions.database.db, key))?.lastActivityAt.toISOString();
    };
    expect(await activity('2026-06-01T11:30:00Z')).toBe('2026-06-01T11:30:00.000Z');
    expect(await activity('2026-06-01T11:10:00Z')).toBe('2026-06-01T11:30:00.000Z');
    expect(await activity('2999-01-01T00:00:00Z')).toBe(now.toISOString());
  });

  it('does not know a session of another account', async () => {
    const { sessionId } = await sessions.openSession();
    expect(await append({ accountId: newId(), sessionId }, [message('x')])).toEqual({ kind: 'not_found' });
  });

  it('with the index off stores content and writes no chunk', async () => {
    const key = await sessions.openSession();
    await append(key, [message('quiet')], { ...WRITE_OPTIONS, indexEnabled: false });
    expect((await readTimeline(key)).items).toHaveLength(1);
    expect(await readChunks(key)).toEqual([]);
  });

  it('with capture off writes no word of an interaction into any table', async () => {
    const key = await sessions.openSession();
    const canary = `canary${newId().replaceAll('-', '')}`;
    await append(key, [interaction({ messages: [{ role: 'user', content: canary }] }, { text: canary })], {
      ...WRITE_OPTIONS,
      captureContent: false,
    });
    const tables = await sessions.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('gateway', 'search', 'webhooks')`,
    );
    for (const { name } of tables) {
      expect(await sessions.query(`select 1 from ${name} t where t::text like $1`, [`%${canary}%`])).toEqual([]);
    }
    expect((await readTimeline(key)).items).toMatchObject([
      { content: null, contentCaptured: false, modelAlias: 'fast' },
    ]);
    expect((await readChunks(key)).map((chunk) => chunk.content)).toEqual(['model fast, provider acme']);
  });

  it('stores every text a client can send, and gives it back', async () => {
    const key = await sessions.openSession();
    const odd = ['\u0000', '\ud800 \udfff', '"\\{},NULL', '\u202e\u0301👩‍👩‍👧', '$1::json', '', 'x'.repeat(200_000)];
    await append(
      key,
      odd.map((text) => message(text)),
    );
    const expected = ['\uFFFD', '\uFFFD \uFFFD', ...odd.slice(2)];
    expect((await readTimeline(key)).items.map((item) => item.content)).toEqual(expected);
  });
});

describe('history that was stored while the index was off', () => {
  it('is chunked later from the same texts that the write path would have used', async () => {
    const entries: SessionContentEntry[] = [
      interaction({ messages: [{ role: 'user', content: 'alpha' }] }, 'beta'),
      { kind: 'tool_call', toolName: 'bash', arguments: { cmd: 'gamma' }, result: null, status: 'error' },
      message([{ type: 'text', text: 'delta' }]),
      { kind: 'flow_log', text: 'epsilon', step: 'clone', level: 'warn' },
      { kind: 'operator_note', text: 'zeta' },
    ];
    const indexed = await sessions.openSession({ title: 'Title' });
    await append(indexed, entries);
    const quiet = await sessions.openSession({ title: 'Title' });
    await append(quiet, entries, { ...WRITE_OPTIONS, indexEnabled: false });
    await append(quiet, entries.slice(0, 1), { ...WRITE_OPTIONS, indexEnabled: false, captureContent: false });

    const session = await readRuntimeSession(sessions.database.db, quiet);
    const texts: string[] = [];
    let after: { occurredAt: Date; id: string } | undefined;
    do {
      const page = await listSessionChunkSources(sessions.database.db, session!, { after, limit: 2 });
      texts.push(...page.sources.map((source) => source.text));
      after = page.next;
    } while (after !== undefined);
    const written = (await readChunks(indexed)).map((chunk) => chunk.content);
    expect(texts.sort()).toEqual([...written, 'model fast, provider acme'].sort());
  });
});

describe('the timeline', () => {
  it('cuts a page by the size of the bodies, and the next page goes on where it stopped', async () => {
    const key = await sessions.openSession();
    const large = 'y'.repeat(TIMELINE_PAGE_BYTES / 2 - 100);
    for (const text of ['1', '2', '3'])
      await append(key, [message(text + large)], { ...WRITE_OPTIONS, indexEnabled: false });
    const first = await readTimeline(key);
    expect(first.items.map((item) => String(item.content)[0])).toEqual(['1', '2']);
    expect(first.hasMore).toBe(true);
    const next = await listSessionTimeline(sessions.database.db, { ...key, after: first.items.at(-1), limit: 200 });
    expect(next.items.map((item) => String(item.content)[0])).toEqual(['3']);
    expect(next.hasMore).toBe(false);
  });
});

describe('operator notes', () => {
  const author = { userId: newId(), display: 'Dana', authMethod: 'token' as const };
  type Target = Parameters<typeof sendOperatorNote>[2]['target'];
  const send = (accountId: string, target: Target) =>
    sessions.run((trx, hints) =>
      sendOperatorNote(
        trx,
        hints,
        { accountId, target, text: 'hold on', author, expiresAt: null, now: new Date() },
        WRITE_OPTIONS,
      ),
    );
  const listEvents = (accountId: string) =>
    sessions.query<{ type: string; body: Buffer }>('select type, body from webhooks.event where account_id = $1', [
      accountId,
    ]);

  it('reach the session an agent used last and is still open, with one event that carries the text', async () => {
    const accountId = newId();
    await sessions.addEndpoint(accountId);
    const agent = { accountId, runtimePrincipalType: 'managed_agent', runtimePrincipalId: 'bot' };
    await sessions.openSession({ ...agent, now: new Date(Date.now() - 5000) });
    const current = await sessions.openSession(agent);
    const ended = await sessions.openSession({ ...agent, now: new Date(Date.now() + 5000) });
    await sessions.run((trx, hints) =>
      endRuntimeSession(trx, hints, { ...ended, reason: 'operator', now: new Date() }, WRITE_OPTIONS),
    );

    const outcome = await send(accountId, { managedAgentId: 'bot' });
    expect(outcome).toMatchObject({
      kind: 'sent',
      note: { runtimeSessionId: current.sessionId, managedAgentId: 'bot' },
    });
    expect((await readTimeline(current)).items).toMatchObject([
      { kind: 'operator_note', content: 'hold on', role: 'operator' },
    ]);
    expect((await readChunks(current)).map((chunk) => chunk.content)).toEqual(['hold on']);
    const notes = (await listEvents(accountId)).filter((event) => event.type === 'agent.note_sent');
    expect(notes).toHaveLength(1);
    expect(JSON.parse(notes[0]!.body.toString())).toMatchObject({
      data: { text: 'hold on', author: { display: 'Dana', auth_method: 'token' } },
    });
  });

  it('are kept for the readers of an ended session without claiming that an agent got them', async () => {
    const key = await sessions.openSession();
    await sessions.run((trx, hints) =>
      endRuntimeSession(trx, hints, { ...key, reason: 'operator', now: new Date() }, WRITE_OPTIONS),
    );
    await sessions.addEndpoint(key.accountId);
    expect(await send(key.accountId, { sessionId: key.sessionId })).toMatchObject({ kind: 'sent' });
    expect(await listEvents(key.accountId)).toEqual([]);
  });

  it('find no agent without an open session and no session of another account', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    expect(await send(key.accountId, { managedAgentId: 'other' })).toEqual({
      kind: 'not_found',
      missing: 'managed_agent',
    });
    expect(await send(newId(), { managedAgentId: 'bot' })).toEqual({ kind: 'not_found', missing: 'managed_agent' });
    expect(await send(newId(), { sessionId: key.sessionId })).toEqual({ kind: 'not_found', missing: 'session' });
  });
});
