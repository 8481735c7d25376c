import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { transact } from '@steward/database';
import { newId } from '@steward/runtime';
import { stopExecution } from '@steward/slice-flows';
import { eventually } from '@steward/testing';
import { prepareWorkspace } from '../steps/prepare-workspace.ts';
import { createFakeDocker, type FakeDocker } from '../testing/fake-docker.ts';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';
import { createDockerRunner } from './docker-runner.ts';

const PATIENCE_MS = 40_000;
const USER = `${process.getuid?.()}:${process.getgid?.()}`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a run in a container', () => {
  let docker: FakeDocker;
  let worker: TestWorker;
  let scratch: string;
  beforeAll(async () => {
    docker = createFakeDocker();
    worker = await startTestWorker({
      FLOW_RUNNER: 'docker',
      FLOW_DOCKER_IMAGE: 'example/agent:1',
      FLOW_DOCKER_NETWORK: 'none',
      PATH: docker.path,
    });
    scratch = mkdtempSync(resolve(tmpdir(), 'steward-container-'));
  });
  afterAll(async () => {
    await worker.stop();
    docker.remove();
    rmSync(scratch, { recursive: true });
  }, PATIENCE_MS);

  const callsOf = (executionId: string) => docker.calls().filter(({ args }) => args.join(' ').includes(executionId));

  it(
    'gets one container for all its programs, closed to the machine, and leaves none behind',
    async () => {
      const script = [
        'cat > prompt-copy.txt',
        'echo "at $STEWARD_WORKSPACE with $STEWARD_PROMPT_FILE and $EXTRA"',
        'printf \'{"prompt":"%s"}\' "$(cat prompt-copy.txt)" > result.json',
      ].join(';');
      const flow = await worker.createFlow('', {
        agent_config: {
          command: ['/bin/sh', '-c', script],
          env: { EXTRA: "it's\ntwo lines", DOCKER_HOST: 'tcp://evil.example.test', LD_PRELOAD: '/evil.so' },
        },
        setup_commands: ['unset LD_PRELOAD; echo prepared'],
      });
      const { id } = await worker.trigger(flow);
      const ended = await worker.waitForEnd(id);
      expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
      expect(ended.result).toEqual({ prompt: 'Work on this' });
      const log = await worker.readLog(ended);
      expect(log).toContain("at /workspace with /steward/input/prompt.txt and it's\ntwo lines");

      const folder = resolve(worker.workDirectory, id);
      const calls = callsOf(id);
      expect(calls.map(({ args }) => args[0])).toEqual(['run', 'exec', 'exec', 'rm']);
      expect(calls[0]?.args).toEqual([
        'run',
        '--detach',
        '--rm',
        '--init',
        `--name=steward-${id}`,
        `--label=steward.execution=${id}`,
        `--user=${USER}`,
        '--cap-drop=ALL',
        '--security-opt=no-new-privileges',
        '--network=none',
        '--memory=2g',
        '--cpus=2',
        '--pids-limit=512',
        `--mount=type=bind,source=${folder}/workspace,target=/workspace`,
        `--mount=type=bind,source=${folder}/home,target=/steward/home`,
        `--mount=type=bind,source=${folder}/input,target=/steward/input,readonly`,
        '--workdir=/workspace',
        '--entrypoint=tail',
        'example/agent:1',
        '-f',
        '/dev/null',
      ]);
      expect(calls[3]?.args).toEqual(['rm', '--force', '--volumes', `steward-${id}`]);
      // Neither prompt, variables nor token on a command line; nothing of the flow in the client's environment.
      const lines = JSON.stringify(calls.map(({ args }) => args));
      for (const hidden of ['Work on this', 'two lines', 'stw_run_', 'evil']) expect(lines).not.toContain(hidden);
      for (const { variables } of calls)
        expect(variables.filter((name) => /EXTRA|STEWARD|LD_|DOCKER_/.test(name))).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'is ended with its container when it is stopped',
    async () => {
      const pidFile = resolve(scratch, 'pid');
      const flow = await worker.createFlow(`echo $$ > ${pidFile}; sleep 300`);
      const { id } = await worker.trigger(flow);
      const pid = await eventually(() => existsSync(pidFile) && (Number(readFileSync(pidFile, 'utf8')) || false));
      const input = { accountId: worker.accountId, executionId: id, now: new Date() };
      await transact({ db: worker.database.db, broker: { publishHint: () => undefined } }, (trx, hints) =>
        stopExecution(trx, hints, input, { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10 }),
      );
      expect((await worker.waitForEnd(id)).status).toBe('STOPPED');
      await eventually(() => !isAlive(pid));
      expect(callsOf(id).at(-1)?.args[0]).toBe('rm');
    },
    PATIENCE_MS,
  );

  const openSandbox = async (image = 'example/agent:1') => {
    const executionId = newId();
    const runner = createDockerRunner({
      image,
      network: 'none',
      memory: '1g',
      cpus: 1,
      pidsLimit: 100,
      killAfterMs: 500,
      clientEnvironment: { PATH: docker.path },
      user: USER,
    });
    const workspace = await prepareWorkspace(scratch, executionId);
    const sandbox = await runner.open({ executionId, workspace, signal: new AbortController().signal });
    const lines: string[] = [];
    const run = (script: string, signal = new AbortController().signal) =>
      sandbox.run({
        argv: ['/bin/sh', '-c', script],
        environment: {},
        signal,
        onLine: (line) => Promise.resolve(void lines.push(line)),
      });
    return { executionId, runner, sandbox, run, lines };
  };

  it('a program that has to be ended takes its container with it; the next one gets a new one over the same files', async () => {
    const { executionId, runner, run, sandbox, lines } = await openSandbox();
    expect(await run('echo kept > file; sleep 300', AbortSignal.timeout(500))).toEqual({
      kind: 'killed',
      signal: 'SIGKILL',
    });
    expect(await run('cat file')).toEqual({ kind: 'exited', code: 0 });
    expect(lines).toEqual(['kept']);
    await sandbox.close();
    await sandbox.close();
    expect(callsOf(executionId).map(({ args }) => args[0])).toEqual(['run', 'exec', 'rm', 'run', 'exec', 'rm']);
    runner.stop();
  });

  it('what a lost worker left is removed by the execution’s name', async () => {
    const { executionId, runner, run } = await openSandbox();
    const hanging = run('sleep 300');
    await eventually(() => callsOf(executionId).some(({ args }) => args[0] === 'exec'));
    await runner.discard(executionId);
    expect(await hanging).toMatchObject({ kind: 'exited', code: 137 });
    await runner.discard(newId());
    runner.stop();
  });

  it('an image that is not there ends the run by the client’s own words', async () => {
    const { run, runner } = await openSandbox('no/such-image');
    await expect(run('true')).rejects.toThrow("could not be started: docker: Unable to find image 'no/such-image'");
    runner.stop();
  });

  it('a worker without a docker engine does not start', async () => {
    await expect(worker.startWorker({ PATH: scratch })).rejects.toThrow('the docker engine does not answer');
  });
});
