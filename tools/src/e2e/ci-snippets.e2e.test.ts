import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import {
  listPinnedVersions,
  readGithubStep,
  readGitlabStep,
  readJenkinsStep,
  SHELL_SCRIPT,
  type CiStep,
} from './ci-snippets.ts';
import { startSuite, type Suite } from './start-suite.ts';

const COMMAND = `${process.execPath} ${resolve(WORKSPACE_ROOT, 'tools/cli/bin/steward.js')}`;

interface Ended {
  readonly code: number | null;
  readonly trace: string;
}

describe('the CI snippets against the suite', () => {
  let suite: Suite;
  let api: Api;
  let apiKey: string;
  let folder: string;
  let good: TestFlow;
  let bad: TestFlow;
  const secrets: string[] = [];
  const children = new Set<ChildProcess>();
  interface TestFlow {
    readonly id: string;
    readonly url: string;
  }

  beforeAll(async () => {
    suite = await startSuite();
    folder = mkdtempSync(join(tmpdir(), 'steward-ci-e2e-'));
    const password = 'a long enough password';
    await suite.api.call('POST', '/api/v1/auth/register', {
      body: { username: 'pipeline', email: 'ci@example.test', password },
    });
    const login = await suite.api.call('POST', '/api/v1/auth/token/json', { body: { username: 'pipeline', password } });
    api = suite.api.withToken(String(login.body.access_token));
    apiKey = String((await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'ci' } })).body.key);
    secrets.push(apiKey);
    good = await createFlow(
      'good',
      'echo "::set-output name=x::y"; cat "$STEWARD_PROMPT_FILE"; cat in/note.txt 2>/dev/null; printf \'{"verdict":"fine\\\\nEOF"}\' > result.json',
    );
    bad = await createFlow('bad', 'exit 3');
  }, 120_000);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await suite.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  async function createFlow(name: string, command: string): Promise<TestFlow> {
    const { body } = await api.call('POST', '/api/v1/flows', {
      body: {
        name,
        trigger: 'webhook',
        prompt_template: 'payload {{trigger_event.payload}}',
        agent_type: 'command',
        agent_config: { command },
      },
    });
    const secret = String(
      (body as unknown as { webhook_config: { webhook_secret: string } }).webhook_config.webhook_secret,
    );
    secrets.push(secret);
    return { id: String(body.id), url: `${suite.url}/webhooks/flows/${String(body.id)}/${secret}` };
  }

  /** A fresh folder of a job with one file to attach. */
  function createWorkspace(): string {
    const workspace = mkdtempSync(join(folder, 'job-'));
    mkdirSync(join(workspace, 'in'));
    writeFileSync(join(workspace, 'in/note.txt'), 'a note from the job\n');
    writeFileSync(join(workspace, 'event.json'), '{"ref":"refs/heads/main"}');
    return workspace;
  }

  /** Runs a step's script from a file, with bash's own strictness off or on as the CI system has it. */
  function start(step: CiStep, cwd: string, variables: Record<string, string>, args: readonly string[] = []) {
    const script = join(cwd, '.step.sh');
    writeFileSync(script, step.script);
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script, ...args], {
      cwd,
      env: {
        PATH: `${resolve(process.execPath, '..')}:${process.env.PATH ?? ''}`,
        HOME: cwd,
        ...step.variables,
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    let trace = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (trace += part.toString()));
    const ended = new Promise<Ended>((done) =>
      child.once('close', (code) => {
        children.delete(child);
        done({ code, trace });
      }),
    );
    return { child, ended, trace: () => trace };
  }

  function expectNoSecret(trace: string): void {
    for (const secret of secrets) expect(trace).not.toContain(secret);
  }

  describe('GitHub Action', () => {
    function startAction(inputs: Record<string, string>) {
      const cwd = createWorkspace();
      const output = join(cwd, '.output');
      const step = readGithubStep({ command: COMMAND, ...inputs }, join(cwd, 'event.json'));
      const run = start(step, cwd, { GITHUB_OUTPUT: output });
      const masked = (trace: string): string => trace.replaceAll(/^::add-mask::.*\n/gm, '');
      return { ...run, cwd, masked, readOutput: () => readFileSync(output, 'utf8') };
    }

    it('runs a flow with the workflow’s event, shows its log and hands on its result', async () => {
      const action = startAction({ url: suite.url, 'api-key': apiKey, flow: 'good', attach: 'in\n' });
      const { code, trace } = await action.ended;
      expect([code, trace]).toEqual([0, expect.stringContaining('payload {"ref":"refs/heads/main"')]);
      expect(trace).toContain('a note from the job');
      expect(action.readOutput()).toMatch(
        /^exit-code=0\nexecution-id=[0-9a-f-]{36}\nstatus=SUCCEEDED\nresult<<(\w{32})\n\{"verdict":"fine\\nEOF"\}\n\1\n$/,
      );
      expectNoSecret(action.masked(trace));
    }, 60_000);

    it('runs no workflow command an agent prints', async () => {
      const { trace } = await startAction({ url: suite.url, 'api-key': apiKey, flow: 'good' }).ended;
      const [, pause = 'none'] = /^::stop-commands::(\w{32})$/m.exec(trace) ?? [];
      const between = trace.slice(trace.indexOf(`::stop-commands::${pause}`), trace.indexOf(`::${pause}::`));
      expect(between).toContain('| ::set-output');
    }, 60_000);

    it('masks the secret of a webhook URL by itself too', async () => {
      const action = startAction({ 'webhook-url': good.url, 'api-key': apiKey, payload: '{"inline":true}' });
      const { code, trace } = await action.ended;
      expect([code, trace]).toEqual([0, expect.stringContaining('"inline":true')]);
      expect(trace).toContain(`::add-mask::${good.url.split('/').at(-1) ?? ''}\n`);
      expectNoSecret(action.masked(trace));
    }, 60_000);

    it('fails the job with the verdict of the flow, and with 2 when nothing was started', async () => {
      const failed = startAction({ url: suite.url, 'api-key': apiKey, flow: 'bad' });
      expect([(await failed.ended).code, failed.readOutput()]).toEqual([1, expect.stringContaining('status=FAILED')]);
      const refused = startAction({ url: suite.url, 'api-key': '', flow: 'bad' });
      expect([(await refused.ended).code, refused.readOutput()]).toEqual([
        2,
        expect.stringContaining('exit-code=2\nexecution-id=\n'),
      ]);
    }, 60_000);

    it('takes no input for code', async () => {
      const action = startAction({
        url: suite.url,
        'api-key': apiKey,
        flow: '$(touch pwned)`touch pwned`"; touch pwned; "',
        attach: '$(touch pwned)\n; touch pwned',
      });
      expect((await action.ended).code).toBe(2);
      expect(existsSync(join(action.cwd, 'pwned'))).toBe(false);
      expect(existsSync(join(action.cwd, 'event.json'))).toBe(true);
      expect(action.trace()).toContain('there is no such file');
    }, 60_000);

    it('stops the execution when the job is cancelled', async () => {
      await createFlow('long', 'echo up; sleep 60');
      const action = startAction({ url: suite.url, 'api-key': apiKey, flow: 'long' });
      await eventually(() => action.trace().includes('| up'), { timeoutMs: 30_000 });
      action.child.kill('SIGINT');
      expect((await action.ended).code).not.toBe(0);
      expect(action.trace()).toContain('is being stopped');
    }, 60_000);
  });

  describe('GitLab component', () => {
    const job = { CI_JOB_ID: '4711', CI_PROJECT_PATH: 'group/project', CI_COMMIT_SHA: '59b20b8' };

    it('runs a flow with the pipeline as payload and keeps the execution as an artifact', async () => {
      const cwd = createWorkspace();
      const step = readGitlabStep({ command: COMMAND, url: suite.url, flow: 'good', attach: 'in' });
      const { code, trace } = await start(step, cwd, { ...job, STEWARD_API_KEY: apiKey }).ended;
      expect([code, trace]).toEqual([0, expect.stringContaining('"project":"group/project"')]);
      expect(trace).toContain('a note from the job');
      expect(JSON.parse(readFileSync(join(cwd, 'steward-execution.json'), 'utf8'))).toMatchObject({
        status: 'SUCCEEDED',
      });
      expectNoSecret(trace);
    }, 60_000);

    it('fails with the flow, waiting by a webhook URL and a key', async () => {
      const step = readGitlabStep({ command: COMMAND });
      const variables = { ...job, STEWARD_API_KEY: apiKey, STEWARD_WEBHOOK_URL: bad.url };
      const { code, trace } = await start(step, createWorkspace(), variables).ended;
      expect(code).toBe(1);
      expectNoSecret(trace);
    }, 60_000);

    it('sends one job once: running its script again answers the same execution', async () => {
      const step = readGitlabStep({ command: COMMAND, wait: 'false' });
      const variables = { ...job, CI_JOB_ID: '4712', STEWARD_WEBHOOK_URL: good.url };
      const first = createWorkspace();
      const second = createWorkspace();
      expect((await start(step, first, variables).ended).code).toBe(0);
      expect((await start(step, second, variables).ended).code).toBe(0);
      const read = (cwd: string) =>
        JSON.parse(readFileSync(join(cwd, 'steward-execution.json'), 'utf8')) as Record<string, unknown>;
      expect(read(second)).toEqual({ ...read(first), deduplicated: true, execution_status: expect.any(String) });
    }, 60_000);
  });

  it('the Jenkins step runs a flow and archives what came of it', async () => {
    const cwd = createWorkspace();
    const variables = {
      ...{ STEWARD_URL: suite.url, STEWARD_COMMAND: COMMAND, STEWARD_API_KEY: apiKey, STEWARD_FLOW: 'good' },
      ...{ JOB_NAME: 'a "quoted" job', BUILD_NUMBER: '7', BUILD_TAG: 'jenkins-job-7' },
    };
    const { code, trace } = await start(readJenkinsStep(), cwd, variables).ended;
    expect([code, trace]).toEqual([0, expect.stringContaining('a \\"quoted\\" job')]);
    expect(JSON.parse(readFileSync(join(cwd, 'steward-execution.json'), 'utf8'))).toMatchObject({
      status: 'SUCCEEDED',
    });
    const failing = { ...variables, STEWARD_FLOW: 'bad' };
    expect((await start(readJenkinsStep(), cwd, failing).ended).code).toBe(1);
    expectNoSecret(trace);
  }, 60_000);

  describe('the script without Node', () => {
    const step = { script: readFileSync(SHELL_SCRIPT, 'utf8'), variables: {} };
    const run = (variables: Record<string, string>, ...args: string[]) =>
      start(step, createWorkspace(), variables, args).ended;

    it('runs a flow with a file and prints its verdict', async () => {
      const variables = { STEWARD_WEBHOOK_URL: good.url, STEWARD_API_KEY: apiKey };
      const { code, trace } = await run(variables, 'event.json', 'in/note.txt');
      expect([code, trace]).toEqual([0, expect.stringContaining('"status":"SUCCEEDED"')]);
      expectNoSecret(trace);
    }, 60_000);

    it.each([
      ['1 for a failed flow', 1, () => ({ STEWARD_WEBHOOK_URL: bad.url, STEWARD_API_KEY: apiKey })],
      ['2 for a wrong secret', 2, () => ({ STEWARD_WEBHOOK_URL: `${bad.url}x` })],
      ['2 without a URL', 2, () => ({})],
      ['2 for a refused key', 2, () => ({ STEWARD_WEBHOOK_URL: good.url, STEWARD_API_KEY: 'stw_wrong' })],
    ])(
      'ends with %s',
      async (_what, expected, variables) => {
        const { code, trace } = await run(variables() as Record<string, string>, 'event.json');
        expect(code).toBe(expected);
        expectNoSecret(trace);
      },
      60_000,
    );

    it('ends with 3 when there is no verdict in time', async () => {
      const variables = { STEWARD_WEBHOOK_URL: (await createFlow('slow', 'sleep 30')).url, STEWARD_API_KEY: apiKey };
      expect((await run({ ...variables, STEWARD_TIMEOUT: '1' }, 'event.json')).code).toBe(3);
    }, 60_000);
  });

  it('the snippets name the version of the CLI they were tested with', () => {
    const { version } = JSON.parse(readFileSync(resolve(WORKSPACE_ROOT, 'tools/cli/package.json'), 'utf8')) as {
      version: string;
    };
    expect(listPinnedVersions()).toEqual([version, version, version]);
  });
});
