import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eventually, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';

const CLAUDE = '.claude/projects/shop/5f0c9f5e.jsonl';
const CODEX = '.codex/sessions/2026/10/05/rollout-2026-10-05-a.jsonl';
const GEMINI = '.gemini/tmp/abc/chats/session-2026-10-05.json';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const line = (content: string): string =>
  `${JSON.stringify({ type: 'user', uuid: randomUUID(), message: { content } })}\n`;

describe('the import of the sessions on this machine', () => {
  let service: HttpReceiver;
  let home: string;
  let status: number;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'steward-cli-'));
    status = 200;
    service = await startHttpReceiver((request, response) => {
      const isImport = request.path.includes('/import');
      response.writeHead(isImport ? status : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ account_id: 'a-1', format: 'claude_code', sessions: 1, entries: 2 }));
    });
  });
  afterEach(async () => {
    await service.close();
    await rm(home, { recursive: true });
  });

  const run = (args: readonly string[] = [], signal?: AbortSignal) =>
    runHere(service.url, ['sessions', 'import', ...args], '', signal, { HOME: home });
  const listSent = () => service.requests.filter(({ path }) => path.includes('/import'));
  async function put(name: string, content: string): Promise<string> {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  it('finds what each agent keeps, and sends each file once (IMP-8)', async () => {
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

  it('sends again what has grown, whole', async () => {
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

  it('hides credentials before they are sent, and says which (IMP-8)', async () => {
    await put(CLAUDE, `${line(`the token is ${TOKEN}`)}{"cut": "${TOKEN}`);
    expect(await run()).toMatch(/credentials hidden: 2 /);
    const body = gunzipSync(listSent()[0]?.body ?? '').toString();
    expect(body).not.toContain(TOKEN);
    expect(body).toContain('the token is [redacted]');
  });

  it('of which nothing is wanted but a look sends nothing', async () => {
    await put(CLAUDE, line(`the token is ${TOKEN}`));
    expect(await run(['--dry-run'])).toMatch(/1 records; credentials hidden: 1 [\s\S]*1 files; nothing was sent/);
    expect(service.requests).toEqual([]);
  });

  it('whose last note was cut sends that file once more, and no other', async () => {
    await put(CLAUDE, line('a'));
    await put(CODEX, line('b'));
    await run();
    const folder = join(home, '.local/state/steward/imports');
    const [name = ''] = await readdir(folder);
    await truncate(join(folder, name), 150);
    await run();
    await run();
    expect(listSent()).toHaveLength(3);
  });

  it('that watches sends what is new, and what was refused only when it has changed', async () => {
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

  it('refuses a path that is not there', async () => {
    await expect(run([join(home, 'none')])).rejects.toThrow('cannot be read');
  });
});
