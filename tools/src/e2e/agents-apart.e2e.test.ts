import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { eventually, findProcesses, releaseAfterAll, scaleLimit } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { startOrdinaryWorker, type OrdinaryWorker } from './start-ordinary-worker.ts';
import { readEnd } from './read-end.ts';
import { registerOwner } from './register-owner.ts';
import { startSuite, type Suite } from './start-suite.ts';

const TIMEOUT_MS = scaleLimit(300_000);
const LIMITS = { FLOW_MAX_PROCESSES: '64', FLOW_MAX_MEMORY_MB: '256', FLOW_MAX_FILE_MB: '8', FLOW_MAX_DISK_MB: '64' };

interface Run {
  readonly id: string;
  readonly status: string;
  readonly failure: string;
  readonly log: string;
}

/** Attacks that are open to anyone who can register: each is made as an agent of a separate account. */
describe('untrusted agents', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  let victim: Api;
  let attacker: Api;
  beforeAll(async () => {
    suite = await startSuite({ ...LIMITS, FLOW_RECONCILE_SECONDS: '1' });
    release(suite.stop);
    [victim, attacker] = [
      (await registerOwner(suite.api, 'victim')).api,
      (await registerOwner(suite.api, 'attacker')).api,
    ];
  }, TIMEOUT_MS);

  async function start(api: Api, command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const flow = await api.call('POST', '/api/v1/flows', {
      body: {
        name: `flow ${Math.random()}`,
        prompt_template: 'canary-of-a-prompt',
        agent_type: 'command',
        agent_config: { command, env },
      },
    });
    const files = [{ path: 'salary.csv', content_base64: Buffer.from('canary-of-a-file').toString('base64') }];
    const accepted = await api.call('POST', `/api/v1/flows/${String(flow.body.id)}/trigger`, {
      body: api === victim ? { workspace_files: files } : {},
    });
    return String(accepted.body.execution_id);
  }

  async function run(command: string): Promise<Run> {
    const id = await start(attacker, command);
    const body = await readEnd(attacker, id);
    const logs = await attacker.call('GET', `/api/v1/flows/executions/${id}/logs?limit=200`);
    return {
      id,
      status: String(body.status),
      failure: `${String(body.failure_category)}: ${String(body.error_message)}`,
      log: JSON.stringify(logs.body),
    };
  }

  /**
   * Searches the folders as another agent for every secret and value that they could expose, and expects that nothing
   * is found.
   */
  async function expectNothingFound(folders: readonly string[]): Promise<void> {
    const target = await start(victim, 'sleep 600', { SALARY: 'canary-of-a-variable' });
    await eventually(
      async () => (await victim.call('GET', `/api/v1/flows/executions/${target}`)).body.status === 'RUNNING',
    );
    const { status, log } = await run(
      [
        'for file in /proc/[0-9]*/environ; do tr "\\0" "\\n" < $file | sed "s/^/env /"; done',
        'tr "\\0" "\\n" < /proc/$PPID/environ',
        'for file in /proc/[0-9]*/cmdline; do tr "\\0" " " < $file | cut -c-200; done',
        ...folders.map(
          (folder) => `find ${folder} -type f -readable -size +0c 2> /dev/null | head -50 | sed "s/^/found /"`,
        ),
        'find / -xdev \\( -name salary.csv -o -name prompt.txt -o -name "variables-*" \\) 2> /dev/null -exec cat {} + | grep -v ^export',
        'echo the end',
      ].join('; '),
    );
    expect(status).toBe('SUCCEEDED');
    expect(log).toContain('the end');
    const readable = [...log.matchAll(/found ([^"\\]+)/g)].map(([, path = '']) => path);
    // The agent's own files are also below those folders, and the program of the worker may be as well.
    const harmless = /\/run\/(?:input|workspace|home)\/|\/(?:node|main\.js|package\.json)$/;
    expect(readable.filter((path) => !harmless.test(path))).toEqual([]);
    for (const secret of Object.values(suite.secrets)) if (secret.length > 8) expect(log).not.toContain(secret);
    for (const canary of ['canary-of-a-file', 'canary-of-a-variable', 'canary-of-an-ssh-key', 'DATABASE_URL', target])
      expect(log).not.toContain(canary);
    await victim.call('POST', `/api/v1/flows/executions/${target}/stop`);
  }

  async function expectNothingLeft(): Promise<void> {
    const mark = `473.${String(Math.random()).slice(2, 9)}`;
    const left = await run(
      `setsid sleep ${mark} > /dev/null 2>&1 & ( ( setsid sh -c "trap \\"\\" TERM HUP; sleep ${mark}; :" > /dev/null 2>&1 & ) & ); sleep 0.3`,
    );
    expect([left.status, findProcesses(mark)]).toEqual(['SUCCEEDED', []]);
  }

  async function expectBounds(): Promise<void> {
    const bomb = await run(
      'bomb() { bomb | bomb & }; for i in 1 2 3 4 5 6 7 8; do bomb; done; while :; do sleep 60 & done',
    );
    expect([bomb.status, bomb.failure.split(':')[0]]).toEqual(['FAILED', 'agent_error']);
    const hog = await run('head -c 900000000 /dev/zero | tail -c 800000000 > /dev/null; exit $?');
    expect([hog.status, hog.failure.split(':')[0]]).toEqual(['FAILED', 'agent_error']);
    const file = await run('exec head -c 100000000 /dev/zero > large');
    expect([file.status, file.failure]).toEqual(['FAILED', expect.stringContaining('FLOW_MAX_FILE_MB')]);
    expect((await run('echo fine')).status).toBe('SUCCEEDED');
  }

  describe('on a worker started by npm start', () => {
    it(
      'find no secrets of the service, no data of other runs, and no evidence',
      async () => {
        const own = resolve(suite.logDirectory);
        await expectNothingFound([own, '/run/secrets', dirname(own)]);
        expect(readdirSync(own).length).toBeGreaterThan(3);
      },
      TIMEOUT_MS,
    );

    it('leave no process running', expectNothingLeft, TIMEOUT_MS);

    it(
      'can fork, allocate memory and write only within their limits, and the worker continues',
      expectBounds,
      TIMEOUT_MS,
    );

    it(
      'are reported as isolated in the log, the health response and the metrics of the worker',
      async () => {
        const log = readFileSync(resolve(suite.logDirectory, 'flow-trigger.log'), 'utf8');
        expect(log).toMatch(/flow\.isolation/);
        const metrics = await (await fetch(suite.metricsUrls['flow-trigger'])).text();
        expect(metrics).toMatch(/^steward_agents_apart\{[^}]*\} 1$/m);
      },
      TIMEOUT_MS,
    );
  });

  describe('on a worker started by an ordinary user', () => {
    let worker: OrdinaryWorker;
    beforeAll(async () => {
      worker = await startOrdinaryWorker(suite, LIMITS);
      release(worker.stop);
    }, TIMEOUT_MS);

    it(
      'find no secrets of the service, no data of other runs, no evidence, and no keys of that user',
      async () => {
        expect((await worker.health()).activity.agents).toContain('namespaces');
        await expectNothingFound([worker.home, '/run/secrets']);
      },
      TIMEOUT_MS,
    );

    it(
      'cannot change a file that the next start would run',
      async () => {
        const { log } = await run(
          `for file in ${worker.home}/main.js ${worker.home}/.profile ${worker.home}/flows/x ; do echo owned >> $file && echo wrote $file; done; echo the end`,
        );
        expect(log).toContain('the end');
        expect(existsSync(resolve(worker.home, '.profile'))).toBe(false);
        expect(readFileSync(resolve(worker.home, 'main.js'), 'utf8').endsWith('owned\n')).toBe(false);
        expect(statSync(resolve(worker.home, 'flows')).isDirectory()).toBe(true);
        expect(readdirSync(resolve(worker.home, 'flows'))).not.toContain('x');
      },
      TIMEOUT_MS,
    );

    it('leave no process running', expectNothingLeft, TIMEOUT_MS);

    it('fork, allocate and write only within their limits, and the worker continues', expectBounds, TIMEOUT_MS);
  });
});
