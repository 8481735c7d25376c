import { createImportRun, type ImportTask } from './run-import.ts';

/** A record with so many messages: a chat of Vercel, or a list. */
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
    store: ({ entries }) => Promise.resolve({ sessionId: 's', created: false, stored: entries.length, skipped: 0 }),
    onProgress: () => undefined,
    ...task,
  });
}

describe('an import', () => {
  it('lets others work between two batches, those of one record too', async () => {
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

  it('works on a record in its turn, by its length, until it is stored', async () => {
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
        return Promise.resolve({ sessionId: 's', created: false, stored: entries.length, skipped: 0 });
      },
    });
    await run.run();
    expect(events).toEqual([chat.length, '200 stored', '200 stored', 'over', 28, 'over', '50 stored']);
  });

  it('of more than 10,000 sessions is refused at the next one; those stay (LIM-41)', async () => {
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
