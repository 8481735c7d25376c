import { createImportRun, type ImportTask } from './run-import.ts';

/** Returns a record with this number of messages: a Vercel chat, or a list of messages. */
const writeChat = (count: number): string =>
  JSON.stringify({
    id: 'chat',
    messages: Array.from({ length: count }, (_, index) => ({
      id: `m${index}`,
      role: 'user',
      parts: [{ type: 'text', text: `message ${index}` }],
    })),
  });

function importText(text: string, task: Partial<ImportTask> = {}) {
  const parts = (async function* () {
    yield Buffer.from(text);
  })();
  return createImportRun({
    parts,
    kind: 'values',
    format: undefined,
    sourceId: undefined,
    now: () => new Date(0),
    inTurn: (_chars, work) => work(),
    store: ({ entries }) =>
      Promise.resolve({ sessionId: 's', created: false, stored: entries.length, copied: 0, replaced: 0, skipped: 0 }),
    onProgress: () => undefined,
    ...task,
  });
}

describe('an import', () => {
  it('yields to other work between two batches, even within one record', async () => {
    let turns = 0;
    let isRunning = true;
    const takeTurn = (): void => {
      turns += 1;
      if (isRunning) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    const run = importText(writeChat(10_000));
    await run.run();
    isRunning = false;
    expect(run.summary()).toMatchObject({ records: 1, entries: 10_000 });
    expect(turns).toBeGreaterThanOrEqual(50);
  });

  it('processes a record in parts, according to its length, until it is stored', async () => {
    const chat = writeChat(450);
    const events: (string | number)[] = [];
    const run = importText(`${chat}\n{"id":"other","messages":[]}`, {
      async inTurn(chars, work) {
        events.push(chars);
        await work();
        events.push('over');
      },
      store({ entries }) {
        events.push(`${entries.length} stored`);
        return Promise.resolve({
          sessionId: 's',
          created: false,
          stored: entries.length,
          copied: 0,
          replaced: 0,
          skipped: 0,
        });
      },
    });
    await run.run();
    expect(events).toEqual([chat.length, '200 stored', '200 stored', 'over', 28, 'over', '50 stored']);
  });

  it('stops after 10,000 sessions; the sessions before that are stored (LIM-41)', async () => {
    const write = (count: number) =>
      Array.from({ length: count }, (_, at) => `{"session_source_id":"s${at}","role":"user","content":"x"}\n`).join('');
    const lines = { kind: 'lines', format: 'steward' } as const;
    const full = importText(write(10_000), lines);
    await full.run();
    expect(full.summary()).toMatchObject({ sessions: 10_000, entries: 10_000 });
    const over = importText(write(10_001), lines);
    await expect(over.run()).rejects.toMatchObject({ code: 'invalid_request', detail: { limit: 10_000 } });
    expect(over.summary()).toMatchObject({ sessions: 10_000, entries: 10_000 });
  });
});

describe('a line with pictures', () => {
  const write = (chars: number) =>
    `${JSON.stringify({
      ...{ type: 'user', uuid: 'u1', sessionId: 's', timestamp: '2026-08-01T10:00:00Z' },
      message: {
        role: 'user',
        content: [
          { type: 'text', text: 'what is wrong with the gannet page' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(chars) } },
        ],
      },
    })}\n`;

  it.each([
    [2_100_000, '1.6 MB'],
    [4_190_000, '3.1 MB'],
    [20_000_000, '15.0 MB'],
  ])('retains its text and reports the omitted pictures, with %s characters (IMP-9)', async (chars, size) => {
    const entries: unknown[] = [];
    const run = importText(write(chars), {
      kind: 'lines',
      store(batch) {
        entries.push(...batch.entries);
        return Promise.resolve({
          sessionId: 's',
          created: true,
          stored: batch.entries.length,
          copied: 0,
          replaced: 0,
          skipped: 0,
        });
      },
    });
    await run.run();
    expect(run.summary()).toMatchObject({ format: 'claude_code', unknown_lines: {}, entries: 1 });
    expect(entries).toMatchObject([
      {
        content: [
          { text: 'what is wrong with the gannet page' },
          { source: { media_type: 'image/png', data: `[image/png, ${size}]` } },
        ],
      },
    ]);
  });

  it('is counted as too large, not as malformed, if its text exceeds the field limit', async () => {
    const run = importText(`${JSON.stringify({ role: 'user', content: 'a b '.repeat(600_000) })}\n`, {
      kind: 'lines',
      sourceId: 's',
    });
    await run.run();
    expect(run.summary().unknown_lines).toEqual({ too_large: 1 });
  });
});
