import { readLines, readParts } from './testing/read-parts.ts';
import type { ImportedEntry } from './session-item.ts';
import { at, claude, codex, enqueue, event, item, meta, queued, result, said, user } from './testing/write-lines.ts';

function countWords(entries: readonly ImportedEntry[], words: string): number {
  const texts = new Map(
    entries.map((entry) => [entry.externalId, JSON.stringify('content' in entry ? entry.content : '')]),
  );
  return [...texts.values()].filter((text) => text.includes(words)).length;
}

describe('a prompt typed while Claude Code is working', () => {
  const words = 'and draw the zebrafish chart too';
  it.each<[string, object[]]>([
    ['in the queue alone', [enqueue(6, words)]],
    ['given to the agent in between', [queued(7, words)]],
    ['in both', [enqueue(6, words), queued(7, words)]],
    ['as blocks', [enqueue(6, words), queued(7, [{ type: 'text', text: words }])]],
    ['as a turn of its own later', [enqueue(6, words), user(9, words)]],
    ['in all three', [enqueue(6, words), queued(7, words), user(9, words)]],
  ])('is one message of its user: %s (IMP-12)', (_how, lines) => {
    const entries = readLines([user(0, 'please build'), ...lines]);
    expect(countWords(entries, 'zebrafish')).toBe(1);
    expect(
      entries.find((entry) => 'content' in entry && JSON.stringify(entry.content).includes('zebra')),
    ).toMatchObject({
      role: 'user',
    });
  });

  it('has the same id regardless of where the file ends', () => {
    const lines = [user(0, 'please build'), enqueue(6, words), queued(7, words), user(9, result('x'))];
    const ids = [2, 3, 4].map((count) => {
      const found = readLines(lines.slice(0, count)).find(
        (entry) => 'content' in entry && JSON.stringify(entry.content).includes('zebra'),
      );
      return found?.externalId;
    });
    expect(new Set(ids).size).toBe(1);
  });

  it('is not a user message if it was queued by the program', () => {
    const note = '<task-notification>the build is over</task-notification>';
    const [entry] = readLines([queued(7, note, 'task-notification')]);
    expect(entry).toMatchObject({ role: 'system' });
  });
});

describe('a line of an unknown kind', () => {
  it.each<[string, object, string]>([
    ['attachment', claude({ type: 'attachment', attachment: { type: 'hologram', text: 'x' } }), 'attachment hologram'],
    ['event', codex(1, 'event_msg', { type: 'hologram', message: 'x' }), 'event_msg hologram'],
    ['item', codex(1, 'response_item', { type: 'hologram' }), 'hologram'],
  ])('is counted by its kind: %s', (_what, line, kind) => {
    const first = kind.startsWith('attachment') ? user(0, 'hello') : meta(0);
    const { reader } = readParts([[first, line].map((each) => JSON.stringify(each)).join('\n')], 'lines');
    expect(reader.unknown).toEqual({ [kind]: 1 });
  });
});

describe('a file of Codex', () => {
  it('distinguishes equal messages at equal positions if the file repeats its content (IMP-3)', () => {
    const lines = [meta(0), item(1, 'user', 'continue'), meta(0), item(86_401, 'user', 'continue')];
    expect(new Set(readLines(lines).map(({ externalId }) => externalId)).size).toBe(2);
  });

  it.each<[string, object[]]>([
    ['in an event alone', [event(1, 'user_message', 'see the capybara')]],
    ['in an item alone', [item(1, 'user', 'see the capybara')]],
    ['in an item, then an event', [item(1, 'user', 'see the capybara'), event(1, 'user_message', 'see the capybara')]],
    ['in an event, then an item', [event(1, 'user_message', 'see the capybara'), item(1, 'user', 'see the capybara')]],
    [
      'and kept by a compaction',
      [
        item(1, 'user', 'see the capybara'),
        codex(2, 'compacted', { message: 'so far', replacement_history: [said('user', 'see the capybara')] }),
      ],
    ],
    [
      'at the end of a turn alone',
      [codex(1, 'event_msg', { type: 'task_complete', last_agent_message: 'see the capybara' })],
    ],
    [
      'in an item, then at the end of a turn',
      [
        item(1, 'assistant', 'see the capybara'),
        codex(2, 'event_msg', { type: 'task_complete', last_agent_message: 'see the  capybara\n' }),
      ],
    ],
    ['by a compaction alone', [codex(2, 'compacted', { replacement_history: [said('user', 'see the capybara')] })]],
  ])('contains each message once, at its position: %s', (_where, lines) => {
    const whole = [meta(0), ...lines, item(9, 'assistant', 'I see it')];
    expect(countWords(readLines(whole), 'capybara')).toBe(1);
    const ids = new Set(readLines(whole).map(({ externalId }) => externalId));
    const before = readLines(whole.slice(0, 2)).map(({ externalId }) => externalId);
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('a file of Gemini CLI', () => {
  const head = { sessionId: 's', projectHash: 'ab'.repeat(32), startTime: at(0) };
  const gemini = (id: string, type: string, content: unknown, more = {}) => ({
    id,
    type,
    timestamp: at(1),
    content,
    ...more,
  });

  it('contains the messages set by an update of its session', () => {
    const entries = readLines([head, { $set: { messages: [gemini('u1', 'user', [{ text: 'about marmalade' }])] } }]);
    expect(entries).toMatchObject([{ role: 'user', content: 'about marmalade', externalId: 'u1' }]);
  });

  it('contains the last version of a rewritten message: text, tokens, tools (IMP-10)', () => {
    const tool = { id: 'c1', name: 'read', args: { path: 'a' } };
    const entries = readLines([
      head,
      gemini('g1', 'gemini', 'Let me', { toolCalls: [tool] }),
      gemini('g1', 'gemini', 'Let me count', {
        tokens: { input: 10, output: 20 },
        toolCalls: [{ ...tool, result: 'b' }],
      }),
    ]);
    const latest = new Map<string, ImportedEntry>();
    for (const entry of entries) {
      const known = latest.get(entry.externalId);
      if (known === undefined || (known.revision ?? 0) < (entry.revision ?? 0)) latest.set(entry.externalId, entry);
    }
    expect([...latest.values()]).toMatchObject([
      { content: 'Let me count', inputTokens: 10, outputTokens: 20 },
      { toolName: 'read', result: 'b' },
    ]);
  });

  it('marks messages that the user removed by rewinding', () => {
    const entries = readLines([
      head,
      gemini('u1', 'user', 'papaya'),
      gemini('g1', 'gemini', 'guava'),
      { $rewindTo: 'u1' },
      gemini('u2', 'user', 'quince'),
    ]);
    expect(entries.map((entry) => ['content' in entry && entry.content, entry.status, entry.revision])).toEqual([
      ['papaya', undefined, undefined],
      ['guava', undefined, undefined],
      ['papaya', 'rewound', 1],
      ['guava', 'rewound', 1],
      ['quince', undefined, undefined],
    ]);
  });
});
