import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface MadeSession {
  readonly sourceId: string;
  /** The words of its messages, in their order. */
  readonly texts: string[];
  readonly path: string;
  readonly render: (texts: readonly string[]) => string;
}

const startedAt = Date.UTC(2026, 4, 1);
const timeOf = (index: number, place: number): string =>
  new Date(startedAt + index * 60_000 + place * 1000).toISOString();
const toLines = (records: readonly unknown[]): string => records.map((each) => `${JSON.stringify(each)}\n`).join('');

/** Sessions in the folders where their agents have them, of one agent after the other; what is written of them is told. */
export function makeSession(home: string, index: number): MadeSession {
  const sourceId = `session-${index}`;
  const make = FORMATS[index % FORMATS.length] as (typeof FORMATS)[number];
  const session = { sourceId, texts: [], ...make(home, index, sourceId) };
  for (let count = 2 + (index % 5); count > 0; count -= 1) addText(session);
  return session;
}

export function addText({ sourceId, texts }: MadeSession): void {
  texts.push(`${sourceId} says ${texts.length}`);
}

export function writeSession({ path, render, texts }: MadeSession): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, render(texts));
}

type Format = (home: string, index: number, sourceId: string) => Pick<MadeSession, 'path' | 'render'>;

const claudeCode: Format = (home, index, sourceId) => ({
  path: join(home, `.claude/projects/project-${index % 50}`, `${sourceId}.jsonl`),
  render: (texts) =>
    toLines([
      { type: 'file-history-snapshot', messageId: 'm0', snapshot: {} },
      ...texts.map((content, place) => ({
        ...{ type: 'user', uuid: `${sourceId}-${place}`, sessionId: sourceId, cwd: '/home/ana/shop' },
        ...{ timestamp: timeOf(index, place), message: { role: 'user', content } },
      })),
    ]),
});

const codex: Format = (home, index, sourceId) => ({
  path: join(home, `.codex/sessions/2026/05/${index % 28}`, `rollout-${sourceId}.jsonl`),
  render: (texts) =>
    toLines([
      { timestamp: timeOf(index, 0), type: 'session_meta', payload: { id: sourceId, cwd: '/home/ana/shop' } },
      ...texts.map((text, place) => ({
        ...{ timestamp: timeOf(index, place), type: 'response_item' },
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      })),
    ]),
});

const geminiCli: Format = (home, index, sourceId) => ({
  path: join(home, `.gemini/tmp/project-${index % 50}/chats`, `session-${sourceId}.json`),
  render: (texts) =>
    JSON.stringify({
      ...{ sessionId: sourceId, projectHash: `project-${index % 50}`, startTime: timeOf(index, 0) },
      messages: texts.map((content, place) => ({
        ...{ id: `${sourceId}-${place}`, timestamp: timeOf(index, place), type: 'user', content },
      })),
    }),
});

const FORMATS: readonly Format[] = [claudeCode, codex, geminiCli];
