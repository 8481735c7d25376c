import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface MadeSession {
  readonly sourceId: string;
  /** The texts of its messages, in order. */
  readonly texts: string[];
  readonly write: (texts: readonly string[]) => void;
}

const startedAt = Date.UTC(2026, 4, 1);
const timeOf = (index: number, place: number): string =>
  new Date(startedAt + index * 60_000 + place * 1000).toISOString();
const toLines = (records: readonly unknown[]): string => records.map((each) => `${JSON.stringify(each)}\n`).join('');

/** Creates sessions in the folders of their agents, taking turns between the agents; returns what was written. */
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

export function writeSession({ write, texts }: MadeSession): void {
  write(texts);
}

type Format = (home: string, index: number, sourceId: string) => Pick<MadeSession, 'write'>;

/** Creates a session whose file contains the complete session. */
function writeFile(path: string, render: (texts: readonly string[]) => string): Pick<MadeSession, 'write'> {
  return {
    write(texts) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, render(texts));
    },
  };
}

const claudeCode: Format = (home, index, sourceId) =>
  writeFile(join(home, `.claude/projects/project-${index % 50}`, `${sourceId}.jsonl`), (texts) =>
    toLines([
      { type: 'file-history-snapshot', messageId: 'm0', snapshot: {} },
      ...texts.map((content, place) => ({
        ...{ type: 'user', uuid: `${sourceId}-${place}`, sessionId: sourceId, cwd: '/home/ana/shop' },
        ...{ timestamp: timeOf(index, place), message: { role: 'user', content } },
      })),
    ]),
  );

const codex: Format = (home, index, sourceId) =>
  writeFile(join(home, `.codex/sessions/2026/05/${index % 28}`, `rollout-${sourceId}.jsonl`), (texts) =>
    toLines([
      { timestamp: timeOf(index, 0), type: 'session_meta', payload: { id: sourceId, cwd: '/home/ana/shop' } },
      ...texts.map((text, place) => ({
        ...{ timestamp: timeOf(index, place), type: 'response_item' },
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      })),
    ]),
  );

const geminiCli: Format = (home, index, sourceId) =>
  writeFile(join(home, `.gemini/tmp/project-${index % 50}/chats`, `session-${sourceId}.json`), (texts) =>
    JSON.stringify({
      ...{ sessionId: sourceId, projectHash: `project-${index % 50}`, startTime: timeOf(index, 0) },
      messages: texts.map((content, place) => ({
        ...{ id: `${sourceId}-${place}`, timestamp: timeOf(index, place), type: 'user', content },
      })),
    }),
  );

const cursor: Format = (home, index, sourceId) =>
  writeFile(
    join(home, `.cursor/projects/project-${index % 50}/agent-transcripts`, sourceId, `${sourceId}.jsonl`),
    (texts) => toLines(texts.map((text) => ({ role: 'user', message: { content: [{ type: 'text', text }] } }))),
  );

const openCode: Format = (home, index, sourceId) => ({
  write(texts) {
    const database = openStore(join(home, '.local/share/opencode/opencode.db'));
    const time = startedAt + index * 60_000;
    database
      .prepare('insert or ignore into session values (?, null, ?, ?, ?, ?, ?)')
      .run(sourceId, '/home/ana/shop', sourceId, '1.1.34', time, time);
    for (const [place, text] of texts.entries()) {
      const id = `${sourceId}-${place}`;
      const info = JSON.stringify({ role: 'user', time: { created: time + place * 1000 } });
      const part = JSON.stringify({ type: 'text', text });
      database
        .prepare('insert or ignore into message values (?, ?, ?, ?, ?)')
        .run(id, sourceId, time + place, time, info);
      database.prepare('insert or ignore into part values (?, ?, ?, ?, ?)').run(`part-${id}`, id, sourceId, time, part);
    }
  },
});

const stores = new Map<string, DatabaseSync>();

/** Opens a database, which stays open until the bench ends, like that of a running agent. */
function openStore(path: string): DatabaseSync {
  const known = stores.get(path);
  if (known !== undefined) return known;
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`pragma journal_mode = wal; pragma synchronous = off;
    create table session (id text primary key, parent_id text, directory text, title text, version text,
      time_created integer, time_updated integer);
    create table message (id text primary key, session_id text, time_created integer, time_updated integer, data text);
    create table part (id text primary key, message_id text, session_id text, time_updated integer, data text);
    create index message_session on message (session_id);
    create index part_message on part (message_id);
    create index part_session on part (session_id)`);
  stores.set(path, database);
  return database;
}

const FORMATS: readonly Format[] = [claudeCode, codex, geminiCli, cursor, openCode];
