import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { beginTrace, newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { stopExecution } from '@steward/flows';
import { eventually } from '@steward/testing';
import { prepareWorkspace } from '../workspace/prepare-workspace.ts';
import { createFakeDocker, type FakeDocker } from '../testing/fake-docker.ts';
import { isAlive } from '../testing/is-alive.ts';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';
import { createDockerRunner } from './docker-runner.ts';

const TIMEOUT_SECONDS = 600;
const USER = `${process.getuid?.()}:${process.getgid?.()}`;

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
  });

  /**
   * Waits until the container has registered its program, because a program that is not registered is not ended with
   * it.
   */
  const untilKnown = (executionId: string) => eventually(() => docker.pids(executionId).length === 1);
  const callsOf = (executionId: string) => docker.calls().filter(({ args }) => args.join(' ').includes(executionId));

  it('gets one container for all of its programs, isolated from the machine, and leaves no container behind', async () => {
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
      timeout_seconds: TIMEOUT_SECONDS,
    });
    const { id } = await worker.trigger(flow);
    const ended = await worker.waitForEnd(id);
    expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
    expect(ended.result).toEqual({ prompt: 'Work on this' });
    const log = await worker.readLog(ended);
    expect(log).toContain("at /workspace with /steward/input/prompt.txt and it's\n[redacted]");

    const folder = resolve(worker.workDirectory, id, 'run');
    // The worker's regular removal of what is left over may remove the container once more.
    const calls = callsOf(id).slice(0, 4);
    expect(calls.map(({ args }) => args[0])).toEqual(['run', 'exec', 'exec', 'rm']);
    expect(calls[0]?.args).toEqual([
      'run',
      '--detach',
      '--rm',
      '--init',
      '--pull=missing',
      `--name=steward-${id}`,
      `--label=steward.execution=${id}`,
      `--user=${USER}`,
      '--cap-drop=ALL',
      '--security-opt=no-new-privileges',
      '--network=none',
      '--memory=2g',
      '--memory-swap=2g',
      '--cpus=2',
      '--pids-limit=512',
      `--mount=type=bind,source=${folder}/workspace,target=/workspace`,
      `--mount=type=bind,source=${folder}/home,target=/steward/home`,
      `--mount=type=bind,source=${folder}/input,target=/steward/input,readonly`,
      '--workdir=/workspace',
      '--entrypoint=sleep',
      'example/agent:1',
      String(TIMEOUT_SECONDS + 120),
    ]);
    expect(calls[3]?.args).toEqual(['rm', '--force', '--volumes', `steward-${id}`]);
    // No command line contains a prompt, variables or a token, and the client's environment contains no data of the
    // flow.
    const lines = JSON.stringify(calls.map(({ args }) => args));
    for (const hidden of ['Work on this', 'two lines', 'stw_run_', 'evil']) expect(lines).not.toContain(hidden);
    for (const { variables } of calls)
      expect(variables.filter((name) => /EXTRA|STEWARD|LD_|DOCKER_/.test(name))).toEqual([]);
  });

  it('is ended with its container when it is stopped', async () => {
    const pidFile = resolve(scratch, 'pid');
    const flow = await worker.createFlow(`echo $$ > ${pidFile}; sleep 300`);
    const { id } = await worker.trigger(flow);
    const pid = await eventually(() => existsSync(pidFile) && (Number(readFileSync(pidFile, 'utf8')) || false));
    await untilKnown(id);
    const input = { accountId: worker.accountId, executionId: id, now: new Date() };
    await transact(
      { db: worker.database.db, broker: { publishHint: () => undefined }, traceparent: beginTrace() },
      (trx, hints) =>
        stopExecution(trx, hints, input, { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10 }),
    );
    expect((await worker.waitForEnd(id)).status).toBe('STOPPED');
    await eventually(() => !isAlive(pid));
    expect(callsOf(id).at(-1)?.args[0]).toBe('rm');
  });

  const openSandbox = async (image = 'example/agent:1') => {
    const executionId = newId();
    const runner = createDockerRunner({
      image,
      network: 'none',
      memory: '1g',
      cpus: 1,
      pidsLimit: 100,
      pull: 'never',
      killAfterMs: 500,
      clientEnvironment: { PATH: docker.path },
      user: USER,
    });
    const workspace = await prepareWorkspace(scratch, executionId);
    const { signal } = new AbortController();
    const network = { flow: [], repository: undefined, secrets: [], note: () => undefined };
    const sandbox = await runner.open({ executionId, workspace, timeoutSeconds: 60, signal, network });
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

  it('loses its container if a program has to be killed; the next program gets a new container with the same files', async () => {
    const { executionId, runner, run, sandbox, lines } = await openSandbox();
    const controller = new AbortController();
    const hanging = run('echo kept > file; echo written; sleep 300', controller.signal);
    await eventually(() => lines.includes('written'));
    await untilKnown(executionId);
    controller.abort();
    expect(await hanging).toEqual({ kind: 'killed', signal: 'SIGKILL' });
    expect(await run('cat file')).toEqual({ kind: 'exited', code: 0 });
    expect(lines).toEqual(['written', 'kept']);
    await sandbox.close();
    await sandbox.close();
    expect(callsOf(executionId).map(({ args }) => args[0])).toEqual(['run', 'exec', 'rm', 'run', 'exec', 'rm']);
    runner.stop();
  });

  it('leaves nothing behind if its worker is lost: the remaining objects are removed by the name of the execution', async () => {
    const { executionId, runner, run } = await openSandbox();
    const hanging = run('sleep 300');
    await untilKnown(executionId);
    expect(await runner.list()).toContain(executionId);
    const ended = expect(hanging).rejects.toMatchObject({
      category: 'runner_error',
      message: expect.stringContaining('The container ended before its program'),
    });
    await runner.discard(executionId);
    await ended;
    expect(await runner.list()).not.toContain(executionId);
    await runner.discard(newId());
    runner.stop();
  });

  it('with a missing image ends with the error of the Docker client', async () => {
    const { run, runner } = await openSandbox('no/such-image');
    await expect(run('true')).rejects.toThrow(
      "could not be started: docker: Unable to find image 'no/such-image' locally",
    );
    runner.stop();
  });

  it('does not start without a Docker engine', async () => {
    await expect(worker.startWorker({ PATH: scratch })).rejects.toThrow('the docker engine is not responding');
  });
});
