import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, rename, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { eventually, useFolder, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const CLAUDE = '.claude/projects/shop/5f0c9f5e.jsonl';
const CODEX = '.codex/sessions/2026/10/05/rollout-2026-10-05-a.jsonl';
const GEMINI = '.gemini/tmp/abc/chats/session-2026-10-05.json';
const CURSOR = '.cursor/projects/home-ana-shop/agent-transcripts/7c1e/7c1e.jsonl';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const line = (content: string): string =>
  `${JSON.stringify({ type: 'user', uuid: randomUUID(), message: { content } })}\n`;

describe('importing the sessions of this machine', () => {
  let service: HttpReceiver;
  const home = useFolder();
  let status: number;
  let answer: Readonly<Record<string, unknown>>;
  beforeEach(async () => {
    status = 200;
    answer = { format: 'claude_code', sessions: 1, entries: 2 };
    service = await startService(({ path }) => [
      path.includes('/import') ? status : 200,
      { account_id: 'a-1', ...answer },
    ]);
  });
  afterEach(() => service.close());

  const run = (args: readonly string[] = [], signal?: AbortSignal) =>
    runHere(service.url, ['sessions', 'import', ...args], '', signal, { HOME: home() });
  const listSent = () => service.requests.filter(({ path }) => path.includes('/import'));
  async function put(name: string, content: string | Buffer): Promise<string> {
    const path = join(home(), name);
    await mkdir(dirname(path), { recursive: true });
    // The file is written atomically: an import that is watching could otherwise read a partial file, and send it
    // twice.
    await writeFile(join(home(), 'unfinished'), content);
    await rename(join(home(), 'unfinished'), path);
    return path;
  }

  it('finds the files of each agent, and sends each once (IMP-8)', async () => {
    for (const name of [CLAUDE, CODEX, GEMINI]) await put(name, line(name));
    await put('.gemini/tmp/abc/logs.json', '[]');
    expect(await run(['--label', 'team:shop'])).toContain('3 files, 0 unchanged; 3 sessions, 6 new entries');
    const paths = listSent().map(({ path }) => path.split('?')[1]);
    expect(paths.sort()).toEqual([
      'label=team%3Ashop',
      'label=team%3Ashop',
      'label=team%3Ashop&session_source_id=5f0c9f5e',
    ]);
    expect(await run()).toContain('3 files, 3 unchanged');
    expect(listSent()).toHaveLength(3);
  });

  it('decompresses gzip and zstd files, found or named, and reports those it cannot decompress (IMP-8)', async () => {
    const bodies = [gzipSync(line('packed')), zstdCompressSync(line('packed'))];
    const names = [`${CODEX}.gz`, `${CODEX.replace('-a', '-b')}.zst`];
    for (const [index, name] of names.entries()) await put(name, bodies[index] as Buffer);
    expect(await run()).toContain('2 files, 0 unchanged; 2 sessions');
    await put('notes.bin', gzipSync(line('packed')));
    await run([join(home(), 'notes.bin')]);
    for (const { body } of listSent()) expect(gunzipSync(body).toString()).toContain('"packed"');
    expect(listSent()).toHaveLength(3);
    await put('cut.jsonl.gz', (bodies[0] as Buffer).subarray(0, 20));
    await put('whole.jsonl', line('after it'));
    const said = await run([join(home(), 'cut.jsonl.gz'), join(home(), 'whole.jsonl')]);
    expect(said).toContain('cannot be decompressed');
    expect(said).toContain('2 files, 0 unchanged, 1 refused or unreadable; 1 session,');
    expect(said).toContain('exit 2');
  });

  it('assigns messages without a session id to a session derived from their file, even after it has grown', async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const name = 'chats/of-monday.json';
    const path = await put(name, JSON.stringify(messages));
    await run([path]);
    await put(name, JSON.stringify([...messages, { role: 'assistant', content: 'Hello' }]));
    await run([path]);
    await put('others/of-monday.json', JSON.stringify(messages));
    await run([join(home(), 'others/of-monday.json')]);
    const ids = listSent().map(({ path: sent }) => new URLSearchParams(sent.split('?')[1]).get('session_source_id'));
    expect(ids).toEqual([
      expect.stringMatching(/^of-monday-[0-9a-f]{8}$/),
      ids[0],
      expect.not.stringMatching(ids[0] ?? ''),
    ]);
  });

  it('sends files that have grown again, completely', async () => {
    const path = await put(CLAUDE, line('one'));
    await run();
    await appendFile(path, line('two'));
    await run();
    expect(
      gunzipSync(listSent()[1]?.body ?? '')
        .toString()
        .split('\n'),
    ).toHaveLength(3);
  });

  it('hides credentials before sending, and reports them (IMP-8)', async () => {
    await put(CLAUDE, `${line(`the token is ${TOKEN}`)}{"cut": "${TOKEN}`);
    expect(await run()).toMatch(/credentials hidden: 2 /);
    const body = gunzipSync(listSent()[0]?.body ?? '').toString();
    expect(body).not.toContain(TOKEN);
    expect(body).toContain('the token is [redacted]');
  });

  it('sends nothing in a dry run', async () => {
    await put(CLAUDE, line(`the token is ${TOKEN}`));
    expect(await run(['--dry-run'])).toMatch(/1 record; credentials hidden: 1 [\s\S]*1 file; nothing was sent/);
    expect(service.requests).toEqual([]);
  });

  it('sends only one file again after the state file was truncated', async () => {
    await put(CLAUDE, line('a'));
    await put(CODEX, line('b'));
    await run();
    const folder = join(home(), '.local/state/steward/imports');
    const [name = ''] = await readdir(folder);
    await truncate(join(folder, name), 150);
    await run();
    await run();
    expect(listSent()).toHaveLength(3);
  });

  it('sends new files while watching, and refused files only after they have changed', async () => {
    const ending = new AbortController();
    status = 422;
    const refused = await put(CLAUDE, line('a'));
    const watched = run(['--watch'], ending.signal);
    await eventually(() => listSent().length === 1);
    status = 200;
    await put(CODEX, line('b'));
    await eventually(() => listSent().length === 2);
    await appendFile(refused, line('c'));
    await eventually(() => listSent().length === 3);
    ending.abort();
    expect(await watched).toContain('watching');
  });

  it('finds the sessions in the database of OpenCode, and sends a session again when it has grown', async () => {
    const store = createOpenCodeStore(await put('.local/share/opencode/opencode.db', ''));
    store.addMessage('ses_1', 'msg_1', `the token is ${TOKEN}`);
    store.addMessage('ses_2', 'msg_2', 'Hello');
    expect(await run()).toContain('2 files, 0 unchanged; 2 sessions, 4 new entries, 1 credential hidden');
    expect(await run()).toContain('2 files, 2 unchanged');
    store.addMessage('ses_2', 'msg_3', 'Bye');
    expect(await run()).toContain('2 files, 1 unchanged');
    store.close();
    const bodies = listSent().map(({ body }) => gunzipSync(body).toString());
    expect(bodies.join('')).not.toContain(TOKEN);
    const records = bodies
      .at(-1)
      ?.trim()
      .split('\n')
      .map((each): unknown => JSON.parse(each));
    expect(records).toEqual([
      { info: expect.objectContaining({ id: 'ses_2', directory: '/home/ana/shop', version: '1.1.34' }) },
      {
        info: { id: 'msg_2', sessionID: 'ses_2', role: 'user', time: { created: 1 } },
        parts: [{ id: 'prt_msg_2', sessionID: 'ses_2', type: 'text', text: 'Hello' }],
      },
      expect.objectContaining({ info: expect.objectContaining({ id: 'msg_3' }) }),
    ]);
  });

  it('reports an unreadable database of OpenCode, and continues', async () => {
    await put('.local/share/opencode/opencode.db', 'no database');
    await put(CLAUDE, line('a'));
    expect(await run()).toMatch(/opencode\.db cannot be read[\s\S]*1 file, 0 unchanged/);
  });

  it('names the sessions of Cursor after their file, and uses the time of its last change as their end, because its lines have no times', async () => {
    const said = JSON.stringify({ role: 'user', message: { content: [{ type: 'text', text: 'Hello' }] } });
    const path = await put(CURSOR, `${said}\n`);
    await run();
    const lastYear = new Date('2025-11-02T10:00:00Z');
    await appendFile(path, `${said}\n`);
    await utimes(path, lastYear, lastYear);
    await run();
    expect(listSent().map((sent) => sent.path.split('?')[1])).toEqual([
      'session_source_id=7c1e',
      'session_source_id=7c1e&ended_at=2025-11-02T10%3A00%3A00.000Z',
    ]);
  });

  it('reports which kinds of lines in a file were not read (IMP-8)', async () => {
    answer = { ...answer, unknown_lines: { hologram: 2, broken: 1 }, warnings: ['Look at it.'] };
    await put(CLAUDE, line('a'));
    expect(await run()).toContain('2 new entries; unread lines: 2 hologram, 1 invalid JSON; Look at it.');
  });

  it('fails if a named file was not read, and sends unrecognized files again (IMP-8)', async () => {
    answer = { format: null, sessions: 0, entries: 0, unknown_lines: { 'not recognised': 1 }, warnings: [] };
    const path = await put('notes.jsonl', '{}');
    for (let round = 0; round < 2; round += 1) {
      expect(await run([path])).toMatch(/no session; unread lines: 1 not recognised[\s\S]*exit 2/);
    }
    expect(listSent()).toHaveLength(2);
    expect(await run([home()])).not.toContain('exit');
  });

  it('finds the files of subagents of Gemini CLI', async () => {
    await put('.gemini/tmp/abc/chats/5f0c/helper.jsonl', '{}');
    expect(await run()).toContain('1 file,');
  });

  it('sends no images', async () => {
    await put(CLAUDE, JSON.stringify({ message: { text: 'see', data: 'A'.repeat(6_000_000) } }));
    await run();
    expect(gunzipSync(listSent()[0]?.body ?? '').toString()).toBe(
      '{"message":{"text":"see","data":"[base64:6000000]"}}\n',
    );
  });

  it('refuses a missing path', async () => {
    await expect(run([join(home(), 'none')])).rejects.toThrow('cannot be read');
  });
});

/** Creates the tables of OpenCode 1 that the command reads, as its migrations do. */
function createOpenCodeStore(path: string) {
  const database = new DatabaseSync(path);
  database.exec(`
    create table session (id text primary key, project_id text not null, parent_id text, slug text not null,
      directory text not null, title text not null, version text not null, time_created integer, time_updated integer);
    create table message (id text primary key, session_id text not null, time_created integer, time_updated integer,
      data text not null);
    create table part (id text primary key, message_id text not null, session_id text not null, time_created integer,
      time_updated integer, data text not null)`);
  return {
    addMessage(sessionId: string, id: string, text: string): void {
      const facts = [sessionId, 'p', 's', '/home/ana/shop', 'T', '1.1.34', 1, 1];
      database
        .prepare(
          `insert or ignore into session (id, project_id, slug, directory, title, version, time_created, time_updated)
           values (?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(...facts);
      const info = JSON.stringify({ role: 'user', time: { created: 1 } });
      database.prepare('insert into message values (?, ?, 1, 1, ?)').run(id, sessionId, info);
      const part = JSON.stringify({ type: 'text', text });
      database.prepare('insert into part values (?, ?, ?, 1, 1, ?)').run(`prt_${id}`, id, sessionId, part);
    },
    close: () => database.close(),
  };
}
