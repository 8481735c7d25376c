import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const AGENT = 'a-1';
const ENROLLMENTS = `/api/v1/agents/${AGENT}/enrollments`;

describe('an enrollment that the registry knows', () => {
  const home = useFolder();
  let service: HttpReceiver;
  /** By method and path; what is not named is answered 200 and {}. */
  let answers: Record<string, [status: number, body: object]>;
  beforeEach(async () => {
    answers = {
      [`POST ${ENROLLMENTS}`]: [201, { id: 'e-1', agent_id: AGENT }],
      'GET /api/v1/auth/api-keys': [200, { items: [{ runtime_principal: { type: 'managed_agent', id: AGENT } }] }],
    };
    service = await startService(({ method, path }) => answers[`${method} ${path}`] ?? [200, {}]);
  });
  afterEach(() => service.close());

  const run = (...args: readonly string[]): Promise<string> =>
    runHere(service.url, ['agents', ...args], '', undefined, {
      HOME: home(),
      XDG_CONFIG_HOME: join(home(), '.config'),
    });
  const listSent = () =>
    service.requests
      .filter(({ method }) => method === 'POST')
      .map(({ path, body }) => [path, body.length === 0 ? undefined : (JSON.parse(body.toString()) as unknown)]);
  const refusal = { detail: { code: 'not_found', message: 'There is no such resource.' }, request_id: 'r' };

  it('is created with the file, validated by calls of the agent, and restored with the file', async () => {
    await run('enroll', 'codex', '--model', 'fast', '--agent-id', AGENT);
    expect(await run('validate', 'codex')).toContain('validated');
    await run('restore', 'codex');
    expect(listSent()).toEqual([
      [
        ENROLLMENTS,
        { enrollment_type: 'cli', adapter_key: 'codex', status: 'applied', gateway_routed: true, mcp_rewritten: true },
      ],
      ['/mcp/v1', expect.objectContaining({ method: 'initialize' })],
      [`${ENROLLMENTS}/e-1/validate`, { ok: true, message: 'Calls came through.' }],
      [`${ENROLLMENTS}/e-1/restore`, undefined],
    ]);
    expect(JSON.stringify(listSent())).not.toContain(home());
  });

  it('that the service refuses leaves the file as it is', async () => {
    answers[`POST ${ENROLLMENTS}`] = [404, refusal];
    await expect(run('enroll', 'cursor', '--agent-id', AGENT)).rejects.toMatchObject({ exitCode: 2 });
    expect(() => readFileSync(join(home(), '.cursor', 'mcp.json'))).toThrow('ENOENT');
    await expect(run('validate', 'cursor')).rejects.toMatchObject({ exitCode: 2 });
  });

  it.each<[string, string, [number, object], string]>([
    ['the key is refused', 'GET /api/v1/auth/api-keys', [401, refusal], 'The key is refused (HTTP 401).'],
    ['the tools do not answer', 'POST /mcp/v1', [403, refusal], 'The tools do not answer.'],
    ['no model answers', 'GET /openai/v1/models', [403, refusal], 'The models do not answer.'],
    [
      'the key is another’s',
      'GET /api/v1/auth/api-keys',
      [200, { items: [{ runtime_principal: null }] }],
      'The key is not bound to this agent.',
    ],
  ])('fails where %s', async (_what, request, answer, message) => {
    await run('enroll', 'codex', '--model', 'fast', '--agent-id', AGENT);
    answers[request] = answer;
    await expect(run('validate', 'codex')).rejects.toMatchObject({ exitCode: 2 });
    expect(listSent().at(-1)).toEqual([`${ENROLLMENTS}/e-1/validate`, { ok: false, message }]);
  });

  it('fails where the file was changed since', async () => {
    await run('enroll', 'cursor', '--agent-id', AGENT);
    writeFileSync(join(home(), '.cursor', 'mcp.json'), '{}');
    await expect(run('validate', 'cursor')).rejects.toMatchObject({ exitCode: 2 });
    expect(listSent().at(-1)).toEqual([
      `${ENROLLMENTS}/e-1/validate`,
      { ok: false, message: 'The configuration was changed since.' },
    ]);
  });

  it('is restored on this machine also where the service is not there', async () => {
    await run('enroll', 'cursor', '--agent-id', AGENT);
    answers[`POST ${ENROLLMENTS}/e-1/restore`] = [404, refusal];
    expect(await run('restore', 'cursor')).toContain('The registry was not told');
    expect(() => readFileSync(join(home(), '.cursor', 'mcp.json'))).toThrow('ENOENT');
  });
});
