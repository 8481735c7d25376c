import { chmodSync, existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadSettings } from '@steward/process';
import { eventually, findProcesses } from '@steward/testing';
import { buildApp } from '../app.ts';
import { flowTriggerSettings } from '../config.ts';
import { startTestModel, type TestModel } from '../testing/start-model.ts';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';
import { createRunner } from './create-runner.ts';

/** Covers container engines that forbid namespaces, where root can still change users. */
describe('agents with separate users but no namespaces', () => {
  let worker: TestWorker;
  let model: TestModel;
  let scratch: string;
  beforeAll(async () => {
    scratch = mkdtempSync('/var/lib/steward-apart-');
    chmodSync(scratch, 0o755);
    writeFileSync(resolve(scratch, 'closed'), 'canary-of-a-secret', { mode: 0o600 });
    model = await startTestModel();
    worker = await startTestWorker({
      FLOW_ISOLATION: 'user',
      FLOW_HIDE_PATHS: resolve(scratch, 'closed'),
      FLOW_AGENT_UID_RANGE: '2100000-2100099',
      FLOW_AGENT_API_URL: model.origin,
    });
  });
  afterAll(async () => {
    await worker.stop();
    await model.close();
    rmSync(scratch, { recursive: true });
  });

  const run = async (command: string) => {
    const ended = await worker.waitForEnd((await worker.trigger(await worker.createFlow(command))).id);
    return { ...ended, log: await worker.readLog(ended) };
  };

  it('cannot read the worker’s environment, protected files or another run, and work in their own folders', async () => {
    const other = await worker.trigger(
      await worker.createFlow('echo canary-of-a-run > mine.txt; touch ready; sleep 20'),
    );
    const { status, log, result } = await run(
      `cat /proc/${process.pid}/environ ${scratch}/closed; while ! ls /proc/*/cwd/ready 2>/dev/null && [ $((n += 1)) -lt 20 ]; do sleep 0.1; done; ls -R ${worker.workDirectory}; cat ${worker.workDirectory}/*/run/workspace/mine.txt ${worker.workDirectory}/${other.id}/run/workspace/mine.txt; echo "uid $(id -u)"; echo '{"a":1}' > result.json`,
    );
    expect([status, result]).toEqual(['SUCCEEDED', { a: 1 }]);
    expect(log).toMatch(/uid 21000\d\d/);
    expect(log).not.toContain('canary-of');
    expect(log).not.toContain('FLOW_HIDE_PATHS=');
  });

  it('leave no processes and no files behind', async () => {
    const mark = `474.${process.pid}`;
    const { status } = await run(
      `setsid sleep ${mark} & echo x > /tmp/steward-left-${process.pid}; (setsid sleep ${mark} &); sleep 0.2`,
    );
    expect([status, findProcesses(mark)]).toEqual(['SUCCEEDED', []]);
    expect((await run(`ls /tmp/steward-left-${process.pid} || echo none`)).log).toContain('none');
  });

  it('cannot get a file of the worker through a hard link in their workspace, whether by tool, result or evidence', async () => {
    model.play([
      { call: 'run_shell', args: { command: 'echo mine > mine.txt; while [ ! -e go ]; do sleep 0.05; done' } },
      { call: 'read_file', args: { path: 'linked.txt' } },
      { call: 'write_file', args: { path: 'linked.txt', content: 'overwritten' } },
      { say: 'done' },
    ]);
    const flow = await worker.createFlow('', {
      agent_type: 'builtin',
      agent_config: {},
      ai_model_id: 'large',
      evidence: { enabled: true, paths: ['.'] },
    });
    const { id } = await worker.trigger(flow);
    const workspace = resolve(worker.workDirectory, id, 'run/workspace');
    await eventually(() => existsSync(resolve(workspace, 'mine.txt')));
    // An agent can create this hard link if the kernel does not protect hard links.
    const secret = resolve(worker.workDirectory, 'secret');
    writeFileSync(secret, '{"canary-of-a-link":1}', { mode: 0o600 });
    for (const name of ['linked.txt', 'result.json']) linkSync(secret, resolve(workspace, name));
    writeFileSync(resolve(workspace, 'go'), '');
    const ended = await worker.waitForEnd(id);
    const answers = (model.calls.at(-1)?.body.messages ?? []).filter(({ role }) => role === 'tool');
    expect(answers.slice(1).map(({ content }) => content)).toEqual([
      expect.stringContaining('does not belong to this run'),
      expect.stringContaining('does not belong to this run'),
    ]);
    expect(readFileSync(secret, 'utf8')).toBe('{"canary-of-a-link":1}');
    expect(JSON.stringify(ended.result)).not.toContain('canary');
    const log = await worker.readLog(ended);
    for (const name of ['linked.txt', 'result.json']) expect(log).toContain(`left out "${name}": unreadable`);
    expect(log).toContain('result.json is not used');
  });
});

describe('a worker without isolation from its agents', () => {
  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
    NATS_URL: 'nats://127.0.0.1:9',
    FLOW_SECRET_KEY: '0123456789abcdef'.repeat(4),
    FLOW_ISOLATION: 'none',
  };

  it('does not start, and the error suggests a solution (EXEC-17)', async () => {
    await expect(buildApp(environment)).rejects.toThrow(
      /nothing would isolate agents from the service.*FLOW_TRUST_AGENTS=true/,
    );
  });

  it('starts if every agent is trusted, and logs this (EXEC-17)', async () => {
    const { separation, isApart } = await createRunner(
      loadSettings(flowTriggerSettings, { ...environment, FLOW_TRUST_AGENTS: 'true' }),
      environment,
    );
    expect([isApart, separation]).toEqual([false, expect.stringContaining('NOTHING isolates agents')]);
  });

  it('does not start if its agents could read a secret that no namespace hides', async () => {
    const folder = mkdtempSync('/var/lib/steward-open-');
    chmodSync(folder, 0o755);
    const open = resolve(folder, 'key');
    writeFileSync(open, 'readable for all', { mode: 0o644 });
    const given = { ...environment, FLOW_ISOLATION: 'user', MODEL_KEY_FILE: open };
    await expect(buildApp(given)).rejects.toThrow(`agents could read ${open}`);
    rmSync(folder, { recursive: true });
  });
});
