import { newId } from '@steward/crypto';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { interaction, logLine, message, useSessions, type Key } from '../../testing/use-sessions.ts';
import { renderEntry } from '../rules/render-entry.ts';
import { SESSION_CONTENT_KINDS, type HintSink } from '@steward/contracts';
import type { SessionContentEntry } from '../rules/content-kinds.ts';
import { appendSessionContent, appendToFreeSessions } from './append-session-content.ts';

const sessions = useSessions();

describe('storing content (SESS-9, SESS-10)', () => {
  it('writes every kind with its chunk, and the timeline shows all in order with their bodies', async () => {
    const key = await sessions.openSession();
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
    const outcome = await sessions.append(key, [
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
    const items = await sessions.readTimeline(key);
    expect(items.map(({ kind, content }) => [kind, content])).toEqual([
      ['tool_call', { arguments: { cmd: 'gamma' }, result: null }],
      ['transcript_message', 'delta'],
      ['flow_log', 'epsilon'],
      ['gateway_interaction', { request: { prompt: 'alpha' }, response: 'beta' }],
    ]);
    const chunks = await sessions.readChunks(key);
    expect(chunks.map((chunk) => chunk.source_id).sort()).toEqual(items.map((item) => item.id).sort());
  });

  it('leaves no content, chunks or message behind when the transaction fails', async () => {
    const key = await sessions.openSession();
    const hintsBefore = sessions.hints().length;
    const failing = sessions.run(async (trx, hints) => {
      await appendSessionContent(trx, hints, { ...key, entries: [message('lost')], now: new Date() }, WRITE_OPTIONS);
      throw new Error('fault after the write');
    });
    await expect(failing).rejects.toThrow('fault after the write');
    expect(await sessions.readTimeline(key)).toEqual([]);
    expect(await sessions.readChunks(key)).toEqual([]);
    expect(sessions.hints()).toHaveLength(hintsBefore);
  });

  it('refuses a session of another account', async () => {
    const { sessionId } = await sessions.openSession();
    expect(await sessions.append({ accountId: newId(), sessionId }, [message('x')])).toEqual({ kind: 'not_found' });
  });

  it('stores content but no chunk while the index is off', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message('quiet')], { ...WRITE_OPTIONS, indexEnabled: false });
    expect(await sessions.readTimeline(key)).toHaveLength(1);
    expect(await sessions.readChunks(key)).toEqual([]);
  });

  it('writes no word of an interaction into any table while capture is off (SESS-13)', async () => {
    const key = await sessions.openSession();
    const canary = `canary${newId().replaceAll('-', '')}`;
    await sessions.append(key, [interaction({ messages: [{ role: 'user', content: canary }] }, { text: canary })], {
      ...WRITE_OPTIONS,
      captureContent: false,
    });
    const tables = await sessions.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('gateway', 'search', 'webhooks')`,
    );
    for (const { name } of tables) {
      expect(await sessions.query(`select 1 from ${name} t where t::text like $1`, [`%${canary}%`])).toEqual([]);
    }
    expect(await sessions.readTimeline(key)).toMatchObject([
      { content: null, contentCaptured: false, modelAlias: 'fast' },
    ]);
    expect((await sessions.readChunks(key)).map((chunk) => chunk.content)).toEqual(['model fast, provider acme']);
  });

  it('stores and returns every string a client can send (API-7)', async () => {
    const key = await sessions.openSession();
    const odd = ['\u0000', '\ud800 \udfff', '"\\{},NULL', '\u202e\u0301👩‍👩‍👧', '$1::json', '', 'x'.repeat(200_000)];
    await sessions.append(
      key,
      odd.map((text) => message(text)),
    );
    const expected = ['\uFFFD', '\uFFFD \uFFFD', ...odd.slice(2)];
    expect((await sessions.readTimeline(key)).map((item) => item.content)).toEqual(expected);
  });
});

describe('the stored content of a request (SESS-9)', () => {
  const every: readonly SessionContentEntry[] = [
    {
      ...interaction({ prompt: 'p' }, 'r'),
      status: 'ok',
      inputTokens: 7,
      outputTokens: 0,
      costUsd: 0.000000125,
    } as SessionContentEntry,
    { kind: 'tool_call', toolName: 'bash', arguments: ['ls'] },
    { kind: 'transcript_message', role: 'assistant', content: { parts: [1, null] }, externalId: 'm-1' },
    { kind: 'operator_note', text: 'note' },
    { kind: 'flow_log', text: 'line', step: 'clone', level: 'warn' },
  ];

  it('covers every kind completely, and the response equals the timeline', async () => {
    expect(every.map(({ kind }) => kind)).toEqual(SESSION_CONTENT_KINDS);
    const key = await sessions.openSession();
    const outcome = await sessions.append(key, every);
    if (outcome.kind !== 'stored') throw new Error(outcome.kind);
    const shown = await sessions.readTimeline(key);
    expect(shown.map(({ content: _content, contentError: _error, ...row }) => row)).toEqual(outcome.stored);
    expect(shown).toMatchObject([
      { modelAlias: 'fast', providerName: 'acme', status: 'ok', inputTokens: 7, outputTokens: 0, costUsd: 0.000000125 },
      { toolName: 'bash', status: null, content: { arguments: ['ls'], result: null } },
      { role: 'assistant', externalId: 'm-1', content: { parts: [1, null] } },
      { role: 'operator', content: 'note' },
      { role: 'clone', status: 'warn', content: 'line' },
    ]);
  });

  it('is empty if one entry cannot be stored', async () => {
    const key = await sessions.openSession();
    const broken = { ...interaction('p', 'r'), inputTokens: 2 ** 40 } as SessionContentEntry;
    await expect(sessions.append(key, [message('one'), broken, message('three')])).rejects.toThrow(/out of range/);
    expect(await sessions.readTimeline(key)).toEqual([]);
    expect(await sessions.readChunks(key)).toEqual([]);
  });

  it('can be empty: the session does not change', async () => {
    const key = await sessions.openSession();
    const before = await sessions.read(key);
    expect(await sessions.append(key, [])).toMatchObject({ kind: 'stored', stored: [], skipped: 0 });
    expect(await sessions.read(key)).toEqual(before);
  });

  it('belongs to the key of the call, otherwise to the key that opened the session', async () => {
    const [opener, caller] = [newId(), newId()];
    const key = await sessions.openSession({ apiKeyId: opener });
    for (const apiKeyId of [caller, null, undefined])
      await sessions.run((trx, hints) =>
        appendSessionContent(trx, hints, { ...key, apiKeyId, entries: [logLine('x')], now: new Date() }, WRITE_OPTIONS),
      );
    expect((await sessions.readTimeline(key)).map((row) => row.apiKeyId)).toEqual([caller, opener, opener]);
  });

  it('is the same whether its text was computed before or during the request', async () => {
    const texts = async (rendered: boolean) => {
      const key = await sessions.openSession();
      const made = rendered ? every.map((entry) => renderEntry(entry, WRITE_OPTIONS)) : undefined;
      await sessions.run((trx, hints) =>
        appendSessionContent(trx, hints, { ...key, entries: every, rendered: made, now: new Date() }, WRITE_OPTIONS),
      );
      return (await sessions.readChunks(key)).map((chunk) => [chunk.source_kind, chunk.content]);
    };
    expect(await texts(true)).toEqual(await texts(false));
  });

  it('is complete under concurrent writes to one session, each chunk with its content', async () => {
    const key = await sessions.openSession();
    const writers = Array.from({ length: 12 }, (_, writer) => [0, 1, 2].map((line) => logLine(`w${writer} l${line}`)));
    await Promise.all(writers.map((entries) => sessions.append(key, entries)));
    const shown = await sessions.readTimeline(key);
    expect(shown.map((row) => row.content).sort()).toEqual(
      writers.flatMap((lines) => lines.map((line) => (line as { text: string }).text)).sort(),
    );
    const chunks = await sessions.readChunks(key);
    expect(chunks.map((chunk) => chunk.source_id).sort()).toEqual(shown.map((row) => row.id).sort());
  });

  it('is refused for an unknown session', async () => {
    const { accountId } = await sessions.openSession();
    for (const entries of [[message('x')], [message('x', 'id')], []])
      expect(await sessions.append({ accountId, sessionId: newId() }, entries)).toEqual({ kind: 'not_found' });
  });
});

describe('content for several sessions', () => {
  const input = (key: Key, text: string) => ({ ...key, entries: [message(text, text)], now: new Date() });
  const append = (inputs: readonly ReturnType<typeof input>[]) =>
    sessions.run((trx, hints) => appendToFreeSessions(trx, hints, inputs, WRITE_OPTIONS));

  it('is stored for each session as it would be separately, in any account', async () => {
    const keys = [await sessions.openSession(), await sessions.openSession({ accountId: newId() })];
    const alone = await sessions.openSession();
    await sessions.append(alone, input(alone, 'same').entries);
    const outcomes = await append(keys.map((key) => input(key, 'same')));
    expect(outcomes.map((outcome) => outcome?.session.id)).toEqual(keys.map(({ sessionId }) => sessionId));
    const show = async (key: Key) => {
      const { titleHint, lastActivityAt } = (await sessions.read(key))!;
      const chunks = (await sessions.readChunks(key)).map(({ content }) => content);
      const [item] = await sessions.readTimeline(key);
      return {
        titleHint,
        chunks,
        content: item?.content,
        isActive: lastActivityAt.getTime() === item?.occurredAt.getTime(),
      };
    };
    const shown = await show(alone);
    expect(shown).toMatchObject({ content: 'same', titleHint: 'same', isActive: true });
    for (const key of keys) expect(await show(key)).toEqual(shown);
    // A repeated import stores no entry twice.
    expect(await append(keys.map((key) => input(key, 'same')))).toMatchObject([{ skipped: 1 }, { skipped: 1 }]);
  });

  it('is published with the trace context of the request that sent it, or otherwise of the transaction (API-18)', async () => {
    const inputs = [
      { ...input(await sessions.openSession(), 'first'), traceparent: 'of the request' },
      input(await sessions.openSession(), 'second'),
    ];
    const announced: string[] = [];
    const createSink = (traceparent: string): HintSink => ({
      traceparent,
      add: () => void announced.push(traceparent),
      within: (other) => createSink(other ?? traceparent),
    });
    await sessions.run((trx) => appendToFreeSessions(trx, createSink('of the transaction'), inputs, WRITE_OPTIONS));
    expect(announced).toEqual(['of the request', 'of the transaction']);
  });

  it('skips a session that is locked or deleted, and is stored for the others', async () => {
    const [locked, free] = [await sessions.openSession(), await sessions.openSession()];
    const gone = { ...free, sessionId: newId() };
    await sessions.run(async (trx, hints) => {
      await appendSessionContent(trx, hints, input(locked, 'first'), WRITE_OPTIONS);
      const outcomes = await append([locked, gone, free].map((key) => input(key, 'second')));
      expect(outcomes.map((outcome) => outcome?.stored.length)).toEqual([undefined, undefined, 1]);
    });
    expect((await sessions.readTimeline(locked)).map(({ content }) => content)).toEqual(['first']);
  });
});
