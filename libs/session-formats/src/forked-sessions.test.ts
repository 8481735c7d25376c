import { readParts } from './testing/read-parts.ts';
import { at, item, said } from './testing/write-lines.ts';

const uuid7 = (ms: number, n = 1): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`;
};
const START = Date.parse(at(0));
const [PARENT, CHILD, GRANDCHILD] = [uuid7(START), uuid7(START + 3_600_000), uuid7(START + 7_200_000)];
const stamp = (ms: number) => new Date(ms).toISOString();
const line = (ms: number, type: string, payload: object) => ({ timestamp: stamp(ms), type, payload });
const describeThread = (ms: number, id: string, from?: string) =>
  line(ms, 'session_meta', { id, timestamp: stamp(ms), ...(from !== undefined && { forked_from_id: from }) });
/** Returns a turn in Codex's notation: its start, the prompt, a call, the response, its tokens. */
const turn = (ms: number, words: string, madeAt = ms) => [
  line(ms, 'event_msg', { type: 'task_started', turn_id: uuid7(madeAt, 9) }),
  line(ms, 'response_item', said('user', words)),
  line(ms, 'response_item', { type: 'function_call', call_id: `call_${madeAt}`, name: 'sh', arguments: '{}' }),
  line(ms, 'response_item', { type: 'function_call_output', call_id: `call_${madeAt}`, output: words }),
  line(ms, 'response_item', said('assistant', `did ${words}`)),
  line(ms, 'event_msg', {
    type: 'token_count',
    info: { last_token_usage: { input_tokens: 5, output_tokens: madeAt % 97 } },
  }),
];
/** Returns the same lines with the times of a fork. */
const replay = (lines: readonly { timestamp: string }[], ms: number) =>
  lines.map((each) => ({ ...each, timestamp: stamp(ms) }));

const [T1, T2, T3] = [START + 1000, START + 60_000, START + 120_000];
const parent = [describeThread(START, PARENT), ...turn(T1, 'continue'), ...turn(T2, 'continue')];
const CHILD_AT = START + 3_600_000;
const child = [
  describeThread(CHILD_AT, CHILD, PARENT),
  ...replay(parent, CHILD_AT),
  ...turn(CHILD_AT + 9000, 'continue'),
];
const GRANDCHILD_AT = START + 7_200_000;
const grandchild = [
  describeThread(GRANDCHILD_AT, GRANDCHILD, CHILD),
  ...replay(child, GRANDCHILD_AT),
  ...turn(GRANDCHILD_AT + 9000, 'continue'),
];

function read(lines: readonly object[]) {
  const { items } = readParts([lines.map((each) => JSON.stringify(each)).join('\n')], 'lines');
  return {
    sessions: new Set(items.map(({ session }) => session.sourceId)),
    origins: items.map(({ entry }) => entry.origin),
  };
}

describe('a fork of Codex (IMP-13)', () => {
  it('is one session, and copied entries keep their original ids', () => {
    const [first, second, third] = [parent, child, grandchild].map(read);
    expect([...(second?.sessions ?? [])]).toEqual([CHILD]);
    expect([...(third?.sessions ?? [])]).toEqual([GRANDCHILD]);
    expect(first?.origins).toHaveLength(6);
    expect(new Set(first?.origins).size).toBe(6);
    expect(second?.origins).toEqual(expect.arrayContaining([...(first?.origins ?? [])]));
    expect(third?.origins).toEqual(expect.arrayContaining([...(second?.origins ?? [])]));
    expect([second, third].map((each) => new Set(each?.origins).size)).toEqual([9, 12]);
  });

  it.each<[string, (ms: number, words: string) => object[]]>([
    ['turns without ids, later', (ms, words) => [item((ms - START) / 1000, 'user', words)]],
    [
      'its own description once more',
      (ms, words) => [describeThread(ms, CHILD, PARENT), item((ms - START) / 1000, 'user', words)],
    ],
  ])('distinguishes its own messages from copied ones by %s', (_how, go) => {
    const origins = read([...child.slice(0, -6), ...go(CHILD_AT + 9000, 'continue')]).origins;
    expect(origins.at(-1)).toContain(`codex:${CHILD}:`);
    expect(origins.slice(0, -1).every((origin) => origin?.startsWith(`codex:${PARENT}:`))).toBe(true);
  });

  it('remains separate from its parent if the parent continues', () => {
    const later = read([...parent, ...turn(T3, 'continue')]).origins;
    expect(later.filter((origin) => read(child).origins.includes(origin))).toHaveLength(6);
  });
});

describe('a fork of Claude Code (IMP-13)', () => {
  const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const lineOf = (sessionId: string, n: number, content: unknown, more: object = {}) => ({
    ...{ type: 'user', sessionId, uuid: id(n), timestamp: at(n), message: { role: 'user', content } },
    ...more,
  });

  it.each<[string, object[]]>([
    ['the same ids in another session', [lineOf('b', 1, 'see')]],
    [
      'other ids, with those of before',
      [lineOf('b', 7, 'see', { forkedFrom: { sessionId: 'a', messageUuid: id(1) } })],
    ],
  ])('identifies an entry as its session does: %s', (_how, lines) => {
    expect(read(lines).origins).toEqual(read([lineOf('a', 1, 'see')]).origins);
  });

  it('does not match entries with different content or a short id', () => {
    expect(read([lineOf('b', 1, 'hear')]).origins).not.toEqual(read([lineOf('a', 1, 'see')]).origins);
    expect(read([{ ...lineOf('a', 1, 'see'), uuid: 'u1' }]).origins).toEqual([undefined]);
  });
});
