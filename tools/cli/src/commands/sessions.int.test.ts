import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, startHttpReceiver, useFolder, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';

const SESSION = {
  id: 's-1',
  session_source_type: 'ci',
  session_source_id: 'run-7',
  session_reference: null,
  title: 'Build \u001b[31mfailed',
  labels: ['repo:api'],
  started_at: '2026-05-01T10:00:00.000Z',
  ended_at: '2026-05-01T11:30:00.000Z',
  end_reason: 'idle',
};
const CALL = {
  kind: 'tool_call',
  occurred_at: '2026-05-01T10:01:00.000Z',
  role: null,
  tool_name: 'bash',
  model_alias: null,
  status: 'error',
  content_captured: true,
  content: { arguments: { command: 'make' } },
};
const MESSAGE = { ...CALL, kind: 'transcript_message', role: 'user', tool_name: null, status: null, content: 'a\nb' };
const UNKEPT = { ...CALL, kind: 'gateway_interaction', tool_name: null, model_alias: 'fast', content_captured: false };

describe('sessions on the command line', () => {
  let service: HttpReceiver;
  const folder = useFolder();
  afterEach(() => service.close());

  /** Runs one command against a service with this response for each path. */
  async function run(args: readonly string[], answers: Readonly<Record<string, unknown>>, env = {}) {
    service = await startHttpReceiver((request, response) => {
      const answer = answers[new URL(request.path, 'http://x').pathname.replace('/api/v1/runtime-sessions', '')];
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
    });
    const out = await runHere(service.url, ['sessions', ...args], '', undefined, env);
    return { out, asked: service.requests.map(({ path }) => path.replace('/api/v1/runtime-sessions', '')) };
  }

  it('are listed with filters, and the cursor of the next page', async () => {
    const { out, asked } = await run(
      ['list', '--label', 'repo:api', '--ended', '--since', '2026-05-01', '--limit', '1'],
      { '': { items: [SESSION], next_cursor: 'c1' } },
    );
    expect(asked).toEqual(['?active=false&label=repo%3Aapi&since=2026-05-01T00%3A00%3A00.000Z&limit=1']);
    expect(out).toBe(
      'Build failed\n  s-1  2026-05-01 10:00  ended 2026-05-01 11:30 (idle)  repo:api\nnext page: --cursor c1\n',
    );
  });

  it('are reported as unknown if they do not exist', async () => {
    expect((await run(['list'], { '': { items: [], next_cursor: null } })).out).toBe('no matching sessions\n');
  });

  it('are printed with all kinds of content', async () => {
    const { out } = await run(['show', 's-1'], {
      '/s-1': { ...SESSION, ended_at: null },
      '/s-1/timeline': { items: [CALL, MESSAGE, UNKEPT], next_cursor: null },
    });
    expect(out.split('\n').slice(1)).toEqual([
      '  s-1  2026-05-01 10:00  open  repo:api',
      '2026-05-01 10:01 tool_call bash error',
      ...['  {', '    "arguments": {', '      "command": "make"', '    }', '  }'],
      '2026-05-01 10:01 transcript_message user',
      ...['  a', '  b'],
      '2026-05-01 10:01 gateway_interaction fast error',
      '  (not captured)',
      '',
    ]);
  });

  const LINES = '{"record":"session","id":"s-1"}\n{"record":"content"}\n{"record":"end","items":1}\n';

  it('are exported to standard output, or to a file that only its owner can read', async () => {
    expect((await run(['export', 's-1'], { '/s-1/export': LINES })).out).toBe(LINES);
    await service.close();
    const path = join(folder(), 'session.ndjson');
    expect((await run(['export', 's-1', '--output', path], { '/s-1/export': LINES })).out).toBe('');
    expect(await readFile(path, 'utf8')).toBe(LINES);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('are reported as interrupted if their export is incomplete', async () => {
    const cut = LINES.split('\n').slice(0, 2).join('\n');
    await expect(run(['export', 's-1'], { '/s-1/export': cut })).rejects.toThrow('was interrupted');
  });

  it('are opened on their page in the configured browser', async () => {
    const url = 'https://steward.example.test/runtime-sessions/s-1';
    const [browser, opened] = [join(folder(), 'browser'), join(folder(), 'opened')];
    await writeFile(browser, `#!/bin/sh\necho "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`);
    await chmod(browser, 0o700);
    const { out } = await run(['open', 's-1'], { '/s-1': { ...SESSION, url } }, { BROWSER: browser });
    expect(out).toBe(`${url}\n`);
    await eventually(async () => (await readFile(opened, 'utf8').catch(() => '')) === `${url}\n`);
    await service.close();
    const other = await run(['open', 's-1'], { '/s-1': { ...SESSION, url } }, { BROWSER: join(folder(), 'none') });
    expect(other.out).toContain('open the URL yourself');
    await service.close();
    const printed = await run(['open', 's-1', '--print'], { '/s-1': { ...SESSION, url } }, { BROWSER: 'none' });
    expect(printed.out).toBe(`${url}\n`);
  });

  it.each([
    [null, 'PUBLIC_URL is not set'],
    ['file:///etc/passwd', 'not a web URL'],
    ['--help', 'not a web URL'],
  ])('cannot be opened without a web address: %s', async (url, message) => {
    const opened = run(['open', 's-1'], { '/s-1': { ...SESSION, url } }, { BROWSER: 'none' });
    await expect(opened).rejects.toThrow(message);
  });

  it('cannot be exported if they are unknown, or if the file cannot be written', async () => {
    await expect(run(['export', 's-2'], {})).rejects.toThrow('HTTP 404');
    await service.close();
    const path = join(folder(), 'none', 'x');
    await expect(run(['export', 's-1', '--output', path], { '/s-1/export': LINES })).rejects.toThrow(
      'cannot be written',
    );
  });
});
