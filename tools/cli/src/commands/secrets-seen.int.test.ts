import { Readable } from 'node:stream';
import { startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { createOutput } from '../output.ts';
import { buildProgram } from '../program.ts';

const TOKEN = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
const SIGHTING = {
  runtime_session_id: '0198c3b0-0000-7000-8000-000000000001',
  session_title: 'Fix the build',
  source_kind: 'tool_call',
  source_id: '0198c3b0-0000-7000-8000-000000000002',
  occurred_at: '2026-11-01T10:00:00.000Z',
  rule: 'github',
};

describe('steward secrets seen', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(
    input: string,
    items: readonly object[],
    ...flags: string[]
  ): Promise<{ out: string; sent: string }> {
    service = await startHttpReceiver((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items, next_cursor: null }));
    });
    let out = '';
    const sink = { write: (text: string) => (out += text) };
    const context = {
      env: { STEWARD_URL: service.url, STEWARD_API_KEY: 'stw_an-api-key-of-a-test' },
      stdin: Readable.from([Buffer.from(input)]),
      stderr: process.stderr,
      output: createOutput({ stdout: sink, stderr: sink, env: { NO_COLOR: '1' } }),
      signal: new AbortController().signal,
      setExitCode: () => undefined,
      leave: () => undefined,
    };
    await buildProgram(context, '1.0.0').parseAsync(['secrets', 'seen', ...flags], { from: 'user' });
    return { out, sent: service.requests.map((request) => `${request.path} ${request.body.toString()}`).join('\n') };
  }

  it('sends the value from standard input in the body and prints sessions, never the value', async () => {
    const { out, sent } = await run(`${TOKEN}\n`, [SIGHTING]);
    expect(sent).toContain(`"value":"${TOKEN}"`);
    expect(sent.split(' ')[0]).toBe('/api/v1/runtime-sessions/credential-sightings');
    expect(out).toContain('2026-11-01 10:00  0198c3b0-0000-7000-8000-000000000001  tool_call  Fix the build');
    expect(out).not.toContain(TOKEN);
  });

  it('reports that the value was not seen, and accepts no value as an argument', async () => {
    expect((await run(TOKEN, [])).out).toContain('not seen');
    await service.close();
    await expect(run('', [], TOKEN)).rejects.toThrow(/too many arguments/);
  });
});
