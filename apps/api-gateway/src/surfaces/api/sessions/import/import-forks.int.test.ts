import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { useSessions } from '../../../../testing/session-tests.ts';

const { account, call, gateway } = useSessions();

type Line = Readonly<Record<string, unknown>>;
interface Fork {
  /** Source ids and files of a session and its forks, each forked from the previous one. */
  readonly files: readonly { readonly id: string; readonly lines: readonly Line[] }[];
  /** Words of the messages; each word occurs in exactly one message. */
  readonly words: readonly string[];
  readonly outputTokens: number;
}

const START = Date.UTC(2026, 9, 5, 8);
const HOUR = 3_600_000;
const makeWord = (): string => `w${randomUUID().replaceAll('-', '')}`;
const uuid7 = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
};
const stamp = (ms: number): string => new Date(ms).toISOString();

/**
 * Writes a session and its forks: each fork contains the whole session it was forked from, and continues independently.
 * `turns` has the number of additional turns of each session.
 */
function writeForks(
  turns: readonly number[],
  write: (session: number, history: readonly Line[], turns: Turn[]) => Line[],
) {
  const words: string[] = [];
  let tokens = 0;
  let history: readonly Line[] = [];
  const files = turns.map((count, session) => {
    const own = Array.from({ length: count }, (_, turn) => {
      const word = makeWord();
      words.push(word);
      tokens += turn + 1;
      return { at: START + session * HOUR + (turn + 1) * 10_000, word, tokens: turn + 1 };
    });
    history = write(session, history, own);
    return history;
  });
  return { files, words, outputTokens: tokens };
}

interface Turn {
  readonly at: number;
  readonly word: string;
  readonly tokens: number;
}

/**
 * Writes the session files of Claude Code: a fork begins with the lines of the session it was forked from, with the id
 * of the fork.
 */
function writeClaude(turns: readonly number[]): Fork {
  const ids = turns.map(() => randomUUID());
  const { files, ...rest } = writeForks(turns, (session, history, own) => [
    ...history.map((line) => ({ ...line, sessionId: ids[session] })),
    ...own.flatMap(({ at, word, tokens }) => {
      const line = (type: string, message: object) => ({
        ...{ type, sessionId: ids[session], uuid: randomUUID(), timestamp: stamp(at), message },
      });
      const id = `msg_${randomUUID()}`;
      return [
        line('user', { role: 'user', content: `please ${word}` }),
        line('assistant', {
          ...{ id, role: 'assistant', content: [{ type: 'text', text: 'continue' }] },
          usage: { input_tokens: 1, output_tokens: tokens },
        }),
      ];
    }),
  ]);
  return { ...rest, files: files.map((lines, index) => ({ id: String(ids[index]), lines })) };
}

/**
 * Writes the session files of Codex: a fork begins with a copy of the session it was forked from, with new timestamps,
 * followed by its own turns.
 */
function writeCodex(turns: readonly number[]): Fork {
  const ids = turns.map((_, session) => uuid7(START + session * HOUR));
  const { files, ...rest } = writeForks(turns, (session, history, own) => {
    const startedAt = stamp(START + session * HOUR);
    const from = session === 0 ? {} : { forked_from_id: ids[session - 1] };
    const line = (at: number, type: string, payload: object) => ({ timestamp: stamp(at), type, payload });
    const said = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'text', text }] });
    return [
      { timestamp: startedAt, type: 'session_meta', payload: { id: ids[session], timestamp: startedAt, ...from } },
      ...history.map((each) => ({ ...each, timestamp: startedAt })),
      ...own.flatMap(({ at, word, tokens }) => [
        line(at, 'event_msg', { type: 'task_started', turn_id: uuid7(at) }),
        line(at, 'response_item', said('user', `please ${word}`)),
        line(at, 'response_item', said('assistant', 'continue')),
        line(at, 'event_msg', {
          ...{ type: 'token_count', info: { last_token_usage: { input_tokens: 1, output_tokens: tokens } } },
        }),
      ]),
    ];
  });
  return { ...rest, files: files.map((lines, index) => ({ id: String(ids[index]), lines })) };
}

/** Writes the session files of Gemini: in a continued session, earlier messages keep their ids and times. */
function writeGemini(turns: readonly number[]): Fork {
  const ids = turns.map(() => randomUUID());
  const { files, ...rest } = writeForks(turns, (session, history, own) => [
    { sessionId: ids[session], projectHash: 'ab'.repeat(32), startTime: stamp(START) },
    ...history.slice(1),
    ...own.flatMap(({ at, word, tokens }) => [
      { id: randomUUID(), type: 'user', timestamp: stamp(at), content: [{ text: `please ${word}` }] },
      {
        ...{ id: randomUUID(), type: 'gemini', timestamp: stamp(at), content: 'continue' },
        tokens: { input: 1, output: tokens },
      },
    ]),
  ]);
  return { ...rest, files: files.map((lines, index) => ({ id: String(ids[index]), lines })) };
}

const FORMATS: readonly [string, (turns: readonly number[]) => Fork][] = [
  ['Claude Code', writeClaude],
  ['Codex', writeCodex],
  ['Gemini CLI', writeGemini],
];

/** Returns the file without token counts, as it is before they are written, or if the program writes none. */
const dropNumbers = (lines: readonly Line[]): readonly Line[] =>
  lines
    .filter(({ payload }) => (payload as Line | undefined)?.['type'] !== 'token_count')
    .map(({ tokens: _tokens, message, ...line }) => {
      const { usage: _usage, ...said } = (message ?? {}) as Line;
      return message === undefined ? line : { ...line, message: said };
    });
const toText = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const send = async (body: string) => {
  const answer = await gateway().call('POST', '/api/v1/runtime-sessions/import', {
    ...{ token: account().accessToken, body, headers: { 'content-type': 'application/x-ndjson' } },
  });
  expect(answer.status).toBe(200);
  return answer.body as { readonly copied: number; readonly entries: number };
};
/** Sends all bodies, at most `lanes` at a time; an account has four slots. */
async function sendAll(bodies: readonly string[], lanes: number): Promise<void> {
  const waiting = [...bodies];
  const work = async () => {
    for (let body = waiting.shift(); body !== undefined; body = waiting.shift()) await send(body);
  };
  await Promise.all(Array.from({ length: lanes }, work));
}
const listSessions = async () =>
  (await call('GET', '?limit=200')).body.items as { id: string; session_source_id: string }[];
const readItems = async (sourceId: string) => {
  const session = (await listSessions()).find((each) => each.session_source_id === sourceId);
  return (await call('GET', `/${String(session?.id)}/timeline?limit=200`)).body.items as {
    readonly id: string;
    readonly content: unknown;
    readonly output_tokens: number | null;
    readonly copy_of: { readonly id: string; readonly runtime_session_id: string } | null;
  }[];
};
const countFound = async (query: string): Promise<number> =>
  ((await call('POST', '/search', { query })).body.results as unknown[]).length;

async function expectOnce({ files, words, outputTokens }: Fork): Promise<void> {
  const timelines = await Promise.all(files.map(({ id }) => readItems(id)));
  // Derived titles are indexed by now; they add no duplicates either.
  const found = await Promise.all(words.slice(1).map(countFound));
  expect(found).toEqual(words.slice(1).map(() => 1));
  const items = timelines.flat();
  expect(items.reduce((sum, item) => sum + (item.output_tokens ?? 0), 0)).toBe(outputTokens);
  const originals = new Set(items.filter(({ copy_of }) => copy_of === null).map(({ id }) => id));
  expect(originals.size).toBe(words.length * 2);
  expect(items.every(({ copy_of }) => copy_of === null || originals.has(copy_of.id))).toBe(true);
  for (const [index, { lines }] of files.entries()) {
    const text = JSON.stringify(timelines[index]);
    expect(words.filter((word) => toText(lines).includes(word) && !text.includes(word))).toEqual([]);
  }
}

describe('an entry that a forked session inherits', () => {
  it.each(FORMATS)('is marked as a copy, found once and counted once: %s (IMP-13)', async (_format, write) => {
    const fork = write([2, 1]);
    const [first, second] = fork.files;
    expect(await send(toText(first?.lines ?? []))).toMatchObject({ entries: 4, copied: 0 });
    expect(await send(toText(second?.lines ?? []))).toMatchObject({ entries: 6, copied: 4 });
    expect(await send(toText(second?.lines ?? []))).toMatchObject({ entries: 0, copied: 0 });
    await expectOnce(fork);
    const original = (await listSessions()).find((each) => each.session_source_id === first?.id)?.id;
    const copies = (await readItems(String(second?.id))).map((item) => item.copy_of?.runtime_session_id ?? null);
    expect(copies).toEqual([...Array<string | undefined>(4).fill(original), null, null]);
  });

  it.each(FORMATS)('contributes its tokens if the original had none: %s (IMP-13)', async (_format, write) => {
    for (const isForkFirst of [false, true]) {
      const fork = write([2, 1]);
      const [first, second] = fork.files.map(({ lines }) => lines);
      const files = [toText(dropNumbers(first ?? [])), toText(second ?? [])];
      for (const file of isForkFirst ? files.reverse() : files) await send(file);
      await expectOnce(fork);
    }
  });

  it.each(FORMATS)(
    'gives the same result for files in any order, split, repeated or simultaneous, with token counts in only one: %s (IMP-13)',
    async (_format, write) => {
      const part = fc.record({ file: fc.nat(9), cut: fc.nat(99), isWhole: fc.boolean(), isBare: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 4 }),
          fc.array(part, { maxLength: 5 }),
          fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
          fc.boolean(),
          async (turns, parts, areBare, isAtOnce) => {
            const fork = write(turns);
            const drawn = parts.map(({ file, cut, isWhole, isBare }) => {
              const lines = fork.files[file % fork.files.length]?.lines ?? [];
              const cutOff = isWhole ? lines : lines.slice(0, cut % (lines.length + 1));
              return toText(isBare ? dropNumbers(cutOff) : cutOff);
            });
            // At the end each file is sent as a whole, after any earlier part; the last one has all content and token
            // counts.
            const rest = fork.files.map(({ lines }, file) =>
              toText(areBare[file] === true && file < fork.files.length - 1 ? dropNumbers(lines) : lines),
            );
            const ordered = turns.length % 2 === 0 ? rest.reverse() : rest;
            await sendAll([...drawn, ...ordered], isAtOnce ? 4 : 1);
            await expectOnce(fork);
          },
        ),
        { numRuns: 12 },
      );
    },
  );
});
