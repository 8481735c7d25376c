import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, releaseAfterAll } from '@steward/testing';
import { BUILT_CLI } from '../build/pack-cli.ts';
import type { Api } from '../demo/api.ts';
import { findRegistryFetches, readGithubStep, readGitlabStep, readJenkinsStep, SHELL_SCRIPT } from './ci-snippets.ts';
import { createJobRunner, type JobRunner } from './run-ci-step.ts';
import { createHook } from './create-hook.ts';
import { registerOwner } from './register-owner.ts';
import { findSharedSuite, type SharedSuite } from './shared-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

const COMMAND = `${process.execPath} ${BUILT_CLI}`;

describe('the CI snippets against the suite', () => {
  const release = releaseAfterAll();
  let suite: SharedSuite;
  let api: Api;
  let apiKey: string;
  let folder: string;
  let jobs: JobRunner;
  let good: TestFlow;
  let bad: TestFlow;
  const secrets: string[] = [];
  interface TestFlow {
    readonly id: string;
    readonly url: string;
  }

  beforeAll(async () => {
    suite = await findSharedSuite();
    folder = mkdtempSync(join(tmpdir(), 'steward-ci-e2e-'));
    release(() => rmSync(folder, { recursive: true, force: true }));
    jobs = createJobRunner(folder);
    release(() => jobs.killAll());
    ({ api } = await registerOwner(suite.api, 'pipeline'));
    apiKey = String((await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'ci' } })).body.key);
    secrets.push(apiKey);
    good = await createFlow(
      'good',
      'echo "::set-output name=x::y"; cat "$STEWARD_PROMPT_FILE"; cat in/note.txt 2>/dev/null; printf \'{"verdict":"fine\\\\nEOF"}\' > result.json',
    );
    bad = await createFlow('bad', 'exit 3');
  }, START_TIMEOUT_MS);

  async function createFlow(name: string, command: string): Promise<TestFlow> {
    const { id, secret, path } = await createHook(api, {
      name,
      prompt: 'payload {{trigger_event.payload}}',
      command,
    });
    secrets.push(secret);
    return { id, url: `${suite.url}${path}` };
  }

  function expectNoSecret(trace: string): void {
    for (const secret of secrets) expect(trace).not.toContain(secret);
  }

  describe('GitHub Action', () => {
    function startAction(inputs: Record<string, string>) {
      const cwd = jobs.createWorkspace();
      const output = join(cwd, '.output');
      const step = readGithubStep(inputs, join(cwd, 'event.json'));
      const run = jobs.start(step, cwd, { GITHUB_OUTPUT: output });
      const masked = (trace: string): string => trace.replaceAll(/^::add-mask::.*\n/gm, '');
      return { ...run, cwd, masked, readOutput: () => readFileSync(output, 'utf8') };
    }

    it('runs a flow with the workflow’s event, shows its log and returns its result', async () => {
      const action = startAction({ url: suite.url, 'api-key': apiKey, flow: 'good', attach: 'in\n' });
      const { code, trace } = await action.ended;
      expect([code, trace]).toEqual([0, expect.stringContaining('payload {"ref":"refs/heads/main"')]);
      expect(trace).toContain('a note from the job');
      expect(action.readOutput()).toMatch(
        /^exit-code=0\nexecution-id=[0-9a-f-]{36}\nstatus=SUCCEEDED\nresult<<(\w{32})\n\{"verdict":"fine\\nEOF"\}\n\1\n$/,
      );
      expectNoSecret(action.masked(trace));
    });

    it('does not run workflow commands printed by an agent', async () => {
      const { trace } = await startAction({ url: suite.url, 'api-key': apiKey, flow: 'good' }).ended;
      const [, pause = 'none'] = /^::stop-commands::(\w{32})$/m.exec(trace) ?? [];
      const between = trace.slice(trace.indexOf(`::stop-commands::${pause}`), trace.indexOf(`::${pause}::`));
      expect(between).toContain('| ::set-output');
    });

    it('masks the secret of a webhook URL', async () => {
      const action = startAction({ 'webhook-url': good.url, 'api-key': apiKey, payload: '{"inline":true}' });
      const { code, trace } = await action.ended;
      expect([code, trace]).toEqual([0, expect.stringContaining('"inline":true')]);
      expect(trace).toContain(`::add-mask::${good.url.split('/').at(-1) ?? ''}\n`);
      expectNoSecret(action.masked(trace));
    });

    it('fails the job according to the verdict of the flow, and with exit code 2 if nothing was started', async () => {
      const failed = startAction({ url: suite.url, 'api-key': apiKey, flow: 'bad' });
      expect([(await failed.ended).code, failed.readOutput()]).toEqual([1, expect.stringContaining('status=FAILED')]);
      const refused = startAction({ url: suite.url, 'api-key': '', flow: 'bad' });
      expect([(await refused.ended).code, refused.readOutput()]).toEqual([
        2,
        expect.stringContaining('exit-code=2\nexecution-id=\n'),
      ]);
    });

    it('treats no input as code', async () => {
      const action = startAction({
        url: suite.url,
        'api-key': apiKey,
        flow: '$(touch pwned)`touch pwned`"; touch pwned; "',
        attach: '$(touch pwned)\n; touch pwned',
      });
      expect((await action.ended).code).toBe(2);
      expect(existsSync(join(action.cwd, 'pwned'))).toBe(false);
      expect(existsSync(join(action.cwd, 'event.json'))).toBe(true);
      expect(action.trace()).toContain('the file does not exist');
    });

    it('stops the execution when the job is cancelled', async () => {
      await createFlow('long', 'echo up; sleep 600');
      const action = startAction({ url: suite.url, 'api-key': apiKey, flow: 'long' });
      await eventually(() => action.trace().includes('| up'));
      action.child.kill('SIGINT');
      expect((await action.ended).code).not.toBe(0);
      expect(action.trace()).toContain('is being stopped');
    });
  });

  describe('GitLab component', () => {
    const job = { CI_JOB_ID: '4711', CI_PROJECT_PATH: 'group/project', CI_COMMIT_SHA: '59b20b8' };

    it('runs a flow with the pipeline as payload and stores the execution as an artifact', async () => {
      const cwd = jobs.createWorkspace();
      const step = readGitlabStep({ url: suite.url, flow: 'good', attach: 'in' });
      const { code, trace } = await jobs.start(step, cwd, { ...job, STEWARD_API_KEY: apiKey }).ended;
      expect([code, trace]).toEqual([0, expect.stringContaining('"project":"group/project"')]);
      expect(trace).toContain('a note from the job');
      expect(JSON.parse(readFileSync(join(cwd, 'steward-execution.json'), 'utf8'))).toMatchObject({
        status: 'SUCCEEDED',
      });
      expectNoSecret(trace);
    });

    it('fails if the flow fails, and waits with a webhook URL and a key', async () => {
      const step = readGitlabStep({});
      const variables = { ...job, STEWARD_API_KEY: apiKey, STEWARD_WEBHOOK_URL: bad.url };
      const { code, trace } = await jobs.start(step, jobs.createWorkspace(), variables).ended;
      expect(code).toBe(1);
      expectNoSecret(trace);
    });

    it('starts one execution per job: running its script again returns the same execution', async () => {
      const step = readGitlabStep({ wait: 'false' });
      const variables = { ...job, CI_JOB_ID: '4712', STEWARD_WEBHOOK_URL: good.url };
      const first = jobs.createWorkspace();
      const second = jobs.createWorkspace();
      expect((await jobs.start(step, first, variables).ended).code).toBe(0);
      expect((await jobs.start(step, second, variables).ended).code).toBe(0);
      const read = (cwd: string) =>
        JSON.parse(readFileSync(join(cwd, 'steward-execution.json'), 'utf8')) as Record<string, unknown>;
      expect(read(second)).toEqual({ ...read(first), deduplicated: true, execution_status: expect.any(String) });
    });
  });

  it('the Jenkins step runs a flow and archives its result', async () => {
    const cwd = jobs.createWorkspace();
    const variables = {
      ...{ STEWARD_URL: suite.url, STEWARD_API_KEY: apiKey, STEWARD_FLOW: 'good' },
      ...{ JOB_NAME: 'a "quoted" job', BUILD_NUMBER: '7', BUILD_TAG: 'jenkins-job-7' },
    };
    const { code, trace } = await jobs.start(readJenkinsStep(), cwd, variables).ended;
    expect([code, trace]).toEqual([0, expect.stringContaining('a \\"quoted\\" job')]);
    expect(JSON.parse(readFileSync(join(cwd, 'steward-execution.json'), 'utf8'))).toMatchObject({
      status: 'SUCCEEDED',
    });
    const failing = { ...variables, STEWARD_FLOW: 'bad' };
    expect((await jobs.start(readJenkinsStep(), cwd, failing).ended).code).toBe(1);
    expectNoSecret(trace);
  });

  describe('the script without Node', () => {
    const step = { script: readFileSync(SHELL_SCRIPT, 'utf8'), variables: {} };
    const run = (variables: Record<string, string>, ...args: string[]) =>
      jobs.start(step, jobs.createWorkspace(), variables, args).ended;

    it('runs a flow with a file and prints its verdict', async () => {
      const variables = { STEWARD_WEBHOOK_URL: good.url, STEWARD_API_KEY: apiKey };
      const { code, trace } = await run(variables, 'event.json', 'in/note.txt');
      expect([code, trace]).toEqual([0, expect.stringContaining('"status":"SUCCEEDED"')]);
      expectNoSecret(trace);
    });

    it.each([
      ['1 for a failed flow', 1, () => ({ STEWARD_WEBHOOK_URL: bad.url, STEWARD_API_KEY: apiKey })],
      ['2 for a wrong secret', 2, () => ({ STEWARD_WEBHOOK_URL: `${bad.url}x` })],
      ['2 without a URL', 2, () => ({})],
      ['2 for a refused key', 2, () => ({ STEWARD_WEBHOOK_URL: good.url, STEWARD_API_KEY: 'stw_wrong' })],
    ])('exits with %s', async (_what, expected, variables) => {
      const { code, trace } = await run(variables() as Record<string, string>, 'event.json');
      expect(code).toBe(expected);
      expectNoSecret(trace);
    });

    it('exits with 3 if there is no verdict in time', async () => {
      const variables = { STEWARD_WEBHOOK_URL: (await createFlow('slow', 'sleep 600')).url, STEWARD_API_KEY: apiKey };
      expect((await run({ ...variables, STEWARD_TIMEOUT: '1' }, 'event.json')).code).toBe(3);
    });
  });

  it('a command line whose checksum differs from the pinned one is not run', async () => {
    const step = readGithubStep({ url: suite.url, flow: 'good', 'cli-sha256': '0'.repeat(64) }, 'event.json');
    const output = join(folder, 'pinned-output');
    const { code, trace } = await jobs.start(step, jobs.createWorkspace(), {
      GITHUB_OUTPUT: output,
      STEWARD_API_KEY: apiKey,
    }).ended;
    expect([code, trace]).toEqual([2, expect.stringContaining('which is not the expected one')]);
  });

  it('another command can be used instead of the one served by the service', async () => {
    const step = readGitlabStep({ command: COMMAND, url: suite.url, flow: 'good', attach: 'in' });
    const job = { CI_JOB_ID: '4713', STEWARD_API_KEY: apiKey };
    expect((await jobs.start(step, jobs.createWorkspace(), job).ended).code).toBe(0);
  });

  it('the service serves the command line of its own version, with its checksum', async () => {
    const [archive, checksum, health] = await Promise.all(
      ['/cli/steward.tgz', '/cli/steward.tgz.sha256', '/api/v1/health'].map((path) => fetch(`${suite.url}${path}`)),
    );
    const bytes = new Uint8Array((await archive?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(await checksum?.text()).toBe(`${createHash('sha256').update(bytes).digest('hex')}  steward.tgz\n`);
    const place = mkdtempSync(join(folder, 'cli-'));
    writeFileSync(join(place, 'steward.tgz'), bytes);
    execFileSync('tar', ['-xzf', 'steward.tgz'], { cwd: place });
    const printed = execFileSync(process.execPath, [join(place, 'package/bin/steward.js'), '--version'], {
      encoding: 'utf8',
    });
    const { version } = (await health?.json()) as { version: string };
    expect(printed.trim()).toBe(version);
  });

  it('no snippet and no document fetches a Steward package from a registry', () => {
    expect(findRegistryFetches()).toEqual([]);
  });
});
