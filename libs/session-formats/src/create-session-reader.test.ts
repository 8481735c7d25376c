import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { createSessionReader } from './create-session-reader.ts';
import { claudeCodeLines } from './fixtures/claude-code-lines.ts';
import { codexLines } from './fixtures/codex-lines.ts';
import { codexOldLines } from './fixtures/codex-old-lines.ts';
import { cursorLines } from './fixtures/cursor-lines.ts';
import { langsmithLines } from './fixtures/langsmith-lines.ts';
import { openaiLogsLines } from './fixtures/openai-logs-lines.ts';
import { opencodeLines } from './fixtures/opencode-lines.ts';
import { stewardLines } from './fixtures/steward-lines.ts';
import { SESSION_FORMATS } from './session-item.ts';
import { createRecordSplitter } from './split-records.ts';
import { readLines, readParts } from './testing/read-parts.ts';

const readFixture = (name: string): string => readFileSync(resolve(import.meta.dirname, 'fixtures', name), 'utf8');
const readExpected = (name: string): unknown => JSON.parse(readFixture(`${name}.expected.json`));

/** One real-world file of each format with invented content, and the expected result next to it. */
const LINES: [name: string, text: string][] = [
  ['claude-code', claudeCodeLines],
  ['codex', codexLines],
  ['codex-old', codexOldLines],
  ['cursor', cursorLines],
  ['langsmith', langsmithLines],
  ['openai-logs', openaiLogsLines],
  ['opencode', opencodeLines],
  ['steward', stewardLines],
];
const VALUES = ['gemini', 'openai-messages', 'anthropic', 'vercel-ui'];
const FILES: [name: string, kind: 'lines' | 'values', text: string][] = [
  ...LINES.map(([name, text]): [string, 'lines', string] => [name, 'lines', text]),
  ...VALUES.map((name): [string, 'values', string] => [name, 'values', readFixture(`${name}.json`)]),
];

function describeFile(parts: readonly string[], kind: 'lines' | 'values'): unknown {
  const { reader, items } = readParts(parts, kind);
  const { format, unknown } = reader;
  const entries = items.map(({ entry: { origin: _origin, ...entry } }) => entry);
  const described = { format, unknown, session: items.at(-1)?.session, entries };
  return JSON.parse(JSON.stringify(described));
}

describe('a session file of an agent', () => {
  it.each(FILES)('is recognized and read completely: %s', (name, kind, text) => {
    expect(describeFile([text], kind)).toEqual(readExpected(name));
  });

  it.each(FILES)('is read identically, however it is split into chunks: %s', (name, kind, text) => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const places = [0, ...[...cuts].sort((left, right) => left - right), text.length];
        const parts = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(describeFile(parts, kind)).toEqual(readExpected(name));
      }),
      { numRuns: 30 },
    );
  });

  it('returns the same ids when it is read again after it has grown, so that no entry is stored twice', () => {
    for (const [, text] of LINES) {
      const lines = text.trim().split('\n');
      const all = new Set(readParts([lines.join('\n')], 'lines').items.map(({ entry }) => entry.externalId));
      for (let length = 1; length <= lines.length; length += 1) {
        const { items } = readParts([lines.slice(0, length).join('\n')], 'lines');
        const closed = items.map(({ entry }) => entry.externalId).filter((id) => !id.endsWith(':open'));
        expect(closed.filter((id) => !all.has(id))).toEqual([]);
      }
    }
  });

  it('loses no other lines because of unknown or invalid lines, and counts these', () => {
    const lines = claudeCodeLines.trim().split('\n');
    const expected = readExpected('claude-code') as { entries: unknown[] };
    const foreign = fc.oneof(
      fc.constantFrom('{"type":"', 'null', '[]', '12', '"text"', '{}', '{"type":"from the future","message":7}'),
      fc.json().map((text) => JSON.stringify({ type: 'extra', value: text })),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 3, max: lines.length }), foreign), { maxLength: 6 }), (added) => {
        const mixed = [...lines];
        for (const [at, line] of added) mixed.splice(at, 0, line);
        const { reader, items } = readParts([mixed.join('\n')], 'lines');
        const entries = items.map(({ entry: { origin: _origin, ...entry } }) => entry);
        expect(JSON.parse(JSON.stringify(entries))).toEqual(expected.entries);
        expect(Object.values(reader.unknown).reduce((sum, count) => sum + count, 0)).toBe(2 + added.length);
      }),
    );
  });

  it('never causes an error, for any JSON', () => {
    const formats = [undefined, ...SESSION_FORMATS];
    const key = fc.constantFrom(
      ...[
        'type',
        'message',
        'content',
        'payload',
        'role',
        'info',
        'state',
        'parts',
        'messages',
        'runs',
        'run_type',
        'request',
        'uuid',
      ],
      ...['response', 'choices', 'tool_calls', 'external_id', 'inputs', 'output', 'timestamp', 'usage', 'sessionId'],
    );
    const leaf = fc.oneof(
      fc.constantFrom('user', 'message', 'tool_use', 'tool_result', 'llm', 'session_meta'),
      fc.json(),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, tie('object'), fc.array(tie('value'), { maxLength: 3 })),
      object: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    }));
    fc.assert(
      fc.property(fc.constantFrom(...formats), fc.array(value, { maxLength: 5 }), (format, records) => {
        for (const entry of readLines(records, { format })) expect(entry.externalId.length).toBeLessThanOrEqual(255);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a file of Claude Code', () => {
  it('assigns summaries of earlier sessions at its beginning to the session of the following lines', () => {
    for (const sourceId of [undefined, 'the-name-of-the-file']) {
      const { items } = readParts([claudeCodeLines], 'lines', { sourceId });
      const { session } = readExpected('claude-code') as { session: { sourceId: string } };
      expect(items[0]?.entry).toMatchObject({ role: 'summary' });
      expect([...new Set(items.map(({ session: { sourceId: named } }) => named))]).toEqual([session.sourceId]);
    }
  });

  it('belongs to the caller’s session if it contains only summaries', () => {
    const remark = claudeCodeLines.split('\n').find((each) => each.includes('leafUuid')) ?? '';
    const { items } = readParts([remark], 'lines', { sourceId: 'the-name-of-the-file' });
    expect(items.map(({ session }) => session.sourceId)).toEqual(['the-name-of-the-file']);
  });
});

describe('the export of OpenCode', () => {
  it('is read in the same way as its lines', () => {
    const [session, ...messages] = opencodeLines
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as object);
    const exported = JSON.stringify({ ...session, messages }, null, 2);
    expect(describeFile([exported], 'values')).toEqual(readExpected('opencode'));
  });
});

describe('a record with very many entries', () => {
  it.each(['openai_chat', 'vercel_ui', 'gemini_cli'] as const)(
    'creates each entry only when it is requested, so that they are not all in memory at the same time: %s',
    (format) => {
      const touched = new Set<number>();
      const messages = Array.from({ length: 1000 }, (_, index) => ({
        ...{ id: `m${index}`, role: 'user', type: 'user' },
        get content() {
          touched.add(index);
          return 'x';
        },
        get parts() {
          touched.add(index);
          return [{ type: 'text', text: 'x' }];
        },
      }));
      const parse = () => ({ messages });
      const reader = createSessionReader({ format, sourceId: 's', parse });
      const items = reader.read('')[Symbol.iterator]();
      for (let count = 0; count < 10; count += 1) expect(items.next().value?.entry.content).toBe('x');
      expect(touched.size).toBe(10);
    },
  );
});

describe('a record that is too long', () => {
  it.each(['lines', 'values'] as const)('is counted and discarded, and the next record is read (%s)', (kind) => {
    const splitter = createRecordSplitter(kind, 20);
    const text = `{"a":"${'x'.repeat(30)}"}\n{"b":1}\n`;
    expect([...splitter.push(text), ...splitter.end()]).toEqual([undefined, '{"b":1}']);
  });
});

describe('the export of a session', () => {
  it('is read completely: its session, and entries of every kind that the API accepts', () => {
    const lines = [
      { record: 'session', id: 'x', session_source_type: 'codex', session_source_id: 'run-7', title: 'Retry' },
      { record: 'content', id: 'i1', kind: 'transcript_message', role: 'user', content: 'Hi', external_id: 'm1' },
      {
        record: 'content',
        id: 'i2',
        kind: 'tool_call',
        tool_name: 'sh',
        content: { arguments: { a: 1 }, result: 'b' },
      },
      {
        ...{ record: 'content', id: 'i3', kind: 'gateway_interaction', model_alias: 'fast', provider_name: 'acme' },
        ...{ external_id: null, input_tokens: 3, content: { request: 'q', response: 'r' } },
      },
      { record: 'end', items: 3 },
    ];
    const { reader, items } = readParts([lines.map((each) => JSON.stringify(each)).join('\n')], 'lines');
    expect(items.map(({ session }) => [session.sourceType, session.sourceId, session.title])).toEqual(
      Array.from({ length: 3 }, () => ['codex', 'run-7', 'Retry']),
    );
    expect(items.map(({ entry }) => entry)).toMatchObject([
      { kind: 'message', role: 'user', content: 'Hi', externalId: 'm1' },
      { kind: 'tool_call', toolName: 'sh', arguments: { a: 1 }, result: 'b', externalId: 'i2' },
      { kind: 'interaction', model: 'fast', request: 'q', response: 'r', inputTokens: 3, externalId: 'i3' },
    ]);
    expect(reader.unknown).toEqual({});
  });

  it('retains labels and the end of the session', () => {
    const session = { record: 'session', session_source_type: 'codex', session_source_id: 'run-7' };
    const lines = [
      { ...session, labels: ['repo:api', 'url:http://a/b'], ended_at: '2026-10-05T09:00:00.000Z' },
      { record: 'content', id: 'i1', kind: 'transcript_message', role: 'user', content: 'Hi' },
    ];
    const { items } = readParts([lines.map((each) => JSON.stringify(each)).join('\n')], 'lines');
    expect(items[0]?.session).toMatchObject({
      labels: { repo: 'api', url: 'http://a/b' },
      endedAt: new Date('2026-10-05T09:00:00.000Z'),
    });
  });
});

describe('several sessions in one file', () => {
  it('are separated, each with its own labels', () => {
    const line = (sessionId: string, uuid: string) => ({
      ...{ type: 'user', sessionId, uuid, gitBranch: `of-${sessionId}` },
      message: { role: 'user', content: uuid },
    });
    const text = [line('s1', 'a'), line('s2', 'b'), line('s1', 'c')].map((each) => JSON.stringify(each)).join('\n');
    const { items } = readParts([text], 'lines');
    expect(items.map(({ session, entry }) => [session.sourceId, session.labels['branch'], entry.externalId])).toEqual([
      ['s1', 'of-s1', 'a'],
      ['s2', 'of-s2', 'b'],
      ['s1', 'of-s1', 'c'],
    ]);
  });
});
