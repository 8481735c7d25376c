import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { useSessions } from '../../../../testing/session-tests.ts';

const { account, call, gateway, stranger } = useSessions();

const LINES = { 'content-type': 'application/x-ndjson' };
const toLines = (records: readonly unknown[]): string => records.map((each) => `${JSON.stringify(each)}\n`).join('');

/** Writes a session of Claude Code, one line per minute. */
function writeSession(texts: readonly string[], fields: object = {}): { id: string; file: string } {
  const id = randomUUID();
  const file = toLines(
    texts.map((content, minute) => ({
      type: minute % 2 === 0 ? 'user' : 'assistant',
      uuid: `${id}-${minute}`,
      sessionId: id,
      cwd: '/home/ana/shop',
      gitBranch: 'main',
      version: '2.0.14',
      timestamp: new Date(Date.UTC(2026, 9, 5, 8, minute)).toISOString(),
      message: { role: minute % 2 === 0 ? 'user' : 'assistant', content },
      ...fields,
    })),
  );
  return { id, file };
}

const send = (body: string | Uint8Array, headers: Record<string, string> = LINES, query = '') =>
  gateway().call('POST', `/api/v1/runtime-sessions/import${query}`, { token: account().accessToken, body, headers });
const findSession = async (sourceId: string) => {
  const { body } = await call('GET', '?limit=200');
  return body.items.find((each: { session_source_id: string }) => each.session_source_id === sourceId);
};
const readTimeline = async (id: string) => (await call('GET', `/${id}/timeline?limit=200`)).body.items;

describe('importing a session file of an agent', () => {
  it('stores its session with times, labels and entries, which can be found by the next search (IMP-1, IMP-5, IMP-6)', async () => {
    const word = `w${randomUUID().replaceAll('-', '')}`;
    const { id, file } = writeSession(['Look at the build', `It fails at ${word}`]);
    const answer = await send(`${file}{"type":"from the future"}\nnot json\n`);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...{
          format: 'claude_code',
          records: 4,
          sessions: 1,
          created: 1,
          entries: 2,
          copied: 0,
          replaced: 0,
          skipped: 0,
        },
        ...{ unknown_lines: { 'from the future': 1, broken: 1 }, warnings: [] },
      },
    ]);
    const session = await findSession(id);
    expect(session).toMatchObject({
      session_source_type: 'claude_code',
      started_at: '2026-10-05T08:00:00.000Z',
      ended_at: '2026-10-05T08:01:00.000Z',
      end_reason: 'idle',
    });
    expect(session.labels).toEqual(expect.arrayContaining(['cwd:/home/ana/shop', 'branch:main', 'version:2.0.14']));
    const found = await call('POST', '/search', { query: word });
    expect(found.body.results).toMatchObject([{ runtime_session_id: session.id }]);
  });

  it('twice or simultaneously adds nothing; if the file has grown, only its new entries are added (IMP-3)', async () => {
    const texts = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const { id, file } = writeSession(texts);
    const part = file.split('\n').slice(0, 20).join('\n');
    expect((await send(part)).body).toMatchObject({ created: 1, entries: 20, skipped: 0 });
    const both = await Promise.all([send(file), send(file)]);
    expect(both.map(({ body }) => body.created)).toEqual([0, 0]);
    expect(both.reduce((sum, { body }) => sum + (body.entries as number), 0)).toBe(10);
    const items = await readTimeline((await findSession(id)).id);
    expect(items.map(({ content }: { content: string }) => content)).toEqual(texts);
  });

  it('gives the same result if it is compressed, sent as one JSON document, or sent session by session (IMP-2)', async () => {
    const packed = writeSession(['a', 'b']);
    const answer = await send(gzipSync(packed.file), { ...LINES, 'content-encoding': 'gzip' });
    expect(answer.body).toMatchObject({ created: 1, entries: 2 });
    const messages = [
      { role: 'user', content: 'How many?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', function: { name: 'count', arguments: '{"of":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"n":12}' },
    ];
    const asJson = { 'content-type': 'application/json' };
    const name = randomUUID();
    const listed = await send(JSON.stringify(messages, null, 2), asJson, `?session_source_id=${name}`);
    expect(listed.body).toMatchObject({ format: 'openai_chat', records: 3, entries: 2 });
    expect(await readTimeline((await findSession(name)).id)).toMatchObject([
      { kind: 'transcript_message', content: 'How many?' },
      { kind: 'tool_call', tool_name: 'count', content: { arguments: { of: 'a' }, result: { n: 12 } } },
    ]);
  });

  it('without a session id creates one session, however often it is sent (IMP-1)', async () => {
    const messages = [
      { role: 'user', content: `Which bird is it? ${randomUUID()}` },
      { role: 'assistant', content: 'A toucan' },
    ];
    const sendList = () => send(JSON.stringify(messages), { 'content-type': 'application/json' });
    expect((await sendList()).body).toMatchObject({ format: 'openai_chat', created: 1, entries: 2 });
    expect((await sendList()).body).toMatchObject({ created: 0, entries: 0, skipped: 2 });
  });

  it('omits characters of tool results that cannot be stored', async () => {
    const name = randomUUID();
    const messages = [
      { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'cat', arguments: '{"of":"a\\u0000b"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '{"text":"a\\u0000b \\ud800"}' },
    ];
    expect((await send(toLines(messages), LINES, `?session_source_id=${name}`)).body).toMatchObject({ entries: 1 });
    const [{ content }] = await readTimeline((await findSession(name)).id);
    expect(JSON.stringify(content)).not.toMatch(/\\u0000|\\ud800/);
  });

  it('that was exported from Steward restores its labels and its end time', async () => {
    const { body } = await call('POST', '', {
      session_source_type: 'ci',
      session_source_id: randomUUID(),
      labels: ['team:shop'],
    });
    await call('POST', `/${body.id}/transcript`, { messages: [{ role: 'user', content: 'Hi' }] });
    await call('POST', `/${body.id}/end`, {});
    const exported = (await call('GET', `/${body.id}/export`)).body as string;
    const token = stranger().accessToken;
    const headers = LINES;
    const path = '/api/v1/runtime-sessions';
    await gateway().call('POST', `${path}/import`, { token, headers, body: exported });
    const list = (await gateway().call('GET', `${path}?label=team:shop`, { token })).body.items;
    const original = (await call('GET', `/${body.id}`)).body;
    expect(list).toMatchObject([{ labels: ['team:shop'], ended_at: original.ended_at, session_source_type: 'ci' }]);
  });

  it('can be tested without storing anything (IMP-7)', async () => {
    const { id, file } = writeSession(['a', 'b']);
    expect((await send(file, LINES, '?dry_run=true')).body).toMatchObject({ sessions: 1, created: 0, entries: 2 });
    expect(await findSession(id)).toBeUndefined();
  });

  it('ends its sessions at the requested time, but not sessions that continue', async () => {
    const told = writeSession(['a']);
    await send(told.file, LINES, '?ended_at=2026-10-06T00:00:00Z');
    expect(await findSession(told.id)).toMatchObject({ ended_at: '2026-10-06T00:00:00.000Z', end_reason: 'operator' });
    const live = writeSession(['a'], { timestamp: new Date().toISOString() });
    await send(live.file);
    expect(await findSession(live.id)).toMatchObject({ ended_at: null });
  });

  it('without times uses the requested end time as the time of its entries', async () => {
    const name = randomUUID();
    const file = toLines([{ role: 'user', message: { content: [{ type: 'text', text: 'Hello' }] } }]);
    const sent = await send(file, LINES, `?session_source_id=${name}&ended_at=2025-11-02T10:00:00Z`);
    expect(sent.body).toMatchObject({ format: 'cursor', entries: 1 });
    const time = '2025-11-02T10:00:00.000Z';
    expect(await findSession(name)).toMatchObject({ started_at: time, ended_at: time, session_source_type: 'cursor' });
  });

  it('adds the requested labels to those in the file (IMP-5)', async () => {
    const { id, file } = writeSession(['a']);
    await send(file, LINES, '?label=team:shop&label=ticket:7');
    const { labels } = await findSession(id);
    expect(labels).toEqual(expect.arrayContaining(['branch:main', 'team:shop', 'ticket:7']));
    expect((await send(file, LINES, '?label=none')).status).toBe(422);
  });

  it('accepts a single label (API-20)', async () => {
    const { id, file } = writeSession(['a']);
    expect((await send(file, LINES, '?label=team:shop')).status).toBe(200);
    expect((await findSession(id)).labels).toEqual(expect.arrayContaining(['branch:main', 'team:shop']));
  });

  it('reports progress line by line to callers that request lines (IMP-4)', async () => {
    const { file } = writeSession(Array.from({ length: 450 }, (_, index) => `line ${index}`));
    const answer = await send(file, { ...LINES, accept: 'application/x-ndjson' });
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (answer.body as string)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ type, entries }) => [type, entries])).toEqual([
      ['progress', 200],
      ['progress', 400],
      ['progress', 450],
      ['summary', 450],
    ]);
  });

  it('processes a large result in the worker thread, and its words can be found', async () => {
    const word = `w${randomUUID().replaceAll('-', '')}`;
    const { id, file } = writeSession([`${word} ${'noise '.repeat(30_000)}`]);
    expect((await send(file)).body).toMatchObject({ entries: 1 });
    expect((await call('POST', '/search', { query: word })).body.results).toHaveLength(1);
    expect((await readTimeline((await findSession(id)).id))[0].content).toContain(word);
  });
});

describe('a file that cannot be imported', () => {
  it('keeps what was stored before the error, reports its position, and adds only the rest when it is corrected (IMP-4)', async () => {
    const { id, file } = writeSession(Array.from({ length: 250 }, (_, index) => `line ${index}`));
    const bomb = gzipSync(Buffer.concat([Buffer.from(file), Buffer.alloc(66 * 1024 * 1024, ' ')]));
    const refused = await send(bomb, { ...LINES, 'content-encoding': 'gzip' });
    expect([refused.status, refused.body.detail.code]).toEqual([413, 'payload_too_large']);
    expect(refused.body.detail.imported).toMatchObject({ sessions: 1, entries: 200 });
    expect((await send(file)).body).toMatchObject({ created: 0, entries: 50, skipped: 200 });
    expect(await readTimeline((await findSession(id)).id)).toHaveLength(200);
  });

  /** Begins imports that stay in progress: the response has started, but the file has not been sent completely. */
  async function openImports(token: string) {
    const url = `${gateway().url}/api/v1/runtime-sessions/import`;
    const headers = { ...LINES, authorization: `Bearer ${token}`, accept: 'application/x-ndjson' };
    const open = Array.from({ length: 4 }, async () => {
      const { file } = writeSession(Array.from({ length: 201 }, (_, index) => `line ${index}`));
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const answer = fetch(url, { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit);
      void writer.write(Buffer.from(file));
      // The response headers are sent with the first batch, so the import is in progress.
      return { writer, response: await answer };
    });
    return Promise.all(open);
  }

  it('is refused only beyond the limit of simultaneous imports of an account (LIM-40)', async () => {
    const own = await openImports(account().accessToken);
    expect((await send(writeSession(['a']).file)).status).toBe(429);
    const others = await openImports(stranger().accessToken);
    const { accessToken: token } = await gateway().registerAccount();
    const body = writeSession(['a']).file;
    const third = () => gateway().call('POST', '/api/v1/runtime-sessions/import', { token, body, headers: LINES });
    const refused = await third();
    expect([refused.status, refused.body.detail.code]).toEqual([503, 'unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const { writer, response } of [...own, ...others]) {
      await writer.close();
      expect(await response.text()).toContain('"type":"summary"');
    }
    expect((await third()).status).toBe(200);
    expect((await send(writeSession(['a']).file)).status).toBe(200);
  });

  it('is refused if it names no session, and the error names the parameter to add', async () => {
    const answer = await send('{"role":"user","message":{"content":[{"type":"text","text":"hello"}]}}');
    expect([answer.status, answer.body.detail]).toMatchObject([422, { field: 'session_source_id' }]);
  });

  it.each([
    ['of another media type', 415, { 'content-type': 'text/plain' }, ''],
    ['of an unknown format', 422, LINES, '?format=pdf'],
    ['larger than the limit', 413, { ...LINES, 'content-length': String(65 * 1024 * 1024) }, ''],
  ])('is refused: %s', async (what, status, headers, query) => {
    const body = what.startsWith('larger') ? Buffer.alloc(65 * 1024 * 1024, '\n') : '{}';
    expect((await send(body, headers, query)).status).toBe(status);
  });

  it('produces a warning if its format is unknown', async () => {
    expect((await send('{"hello":"world"}')).body).toMatchObject({
      ...{ format: null, entries: 0, unknown_lines: { 'not recognised': 1 } },
      warnings: [expect.stringContaining('format was not recognized')],
    });
  });

  it('creates a separate session in another account', async () => {
    const { file } = writeSession(['mine']);
    await send(file);
    const { accessToken } = stranger();
    const other = await gateway().call('POST', '/api/v1/runtime-sessions/import', {
      ...{ token: accessToken, body: file, headers: LINES },
    });
    expect(other.body).toMatchObject({ created: 1, entries: 1 });
  });
});
