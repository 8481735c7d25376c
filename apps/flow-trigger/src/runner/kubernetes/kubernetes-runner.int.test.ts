import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { beginTrace, newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { stopExecution } from '@steward/flows';
import { eventually, playCluster, type PlayedCluster } from '@steward/testing';
import { prepareWorkspace } from '../../workspace/prepare-workspace.ts';
import { startTestWorker, type TestWorker } from '../../testing/start-worker.ts';
import type { RunnerCommand } from '../runner.ts';
import { createKubernetesRunner, type KubernetesRunnerOptions } from './kubernetes-runner.ts';

const OPTIONS = { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10 };

interface JobSpec {
  readonly activeDeadlineSeconds: number;
  readonly template: {
    readonly metadata: { readonly labels: object };
    readonly spec: Readonly<Record<string, unknown>>;
  };
}

describe('a run in a pod', () => {
  let volume: string;
  let cluster: PlayedCluster;
  let worker: TestWorker;
  beforeAll(async () => {
    volume = mkdtempSync(resolve(tmpdir(), 'steward-volume-'));
    cluster = await playCluster(volume);
    worker = await startTestWorker({
      ...cluster.environment,
      FLOW_WORK_DIR: volume,
      FLOW_KUBERNETES_POD_NAME: 'steward-flow-trigger-0',
      FLOW_KUBERNETES_POD_UID: 'uid-of-the-worker',
      FLOW_KUBERNETES_POD: '{"runtimeClassName":"gvisor"}',
    });
  });
  afterAll(async () => {
    await worker.stop();
    await cluster.stop();
    rmSync(volume, { recursive: true, force: true });
  });

  const listObjects = (executionId: string, kind: string) =>
    cluster.created.filter((one) => one.kind === kind && one.metadata.labels['steward.execution'] === executionId);

  it('EXEC-27 gets one restricted pod for all of its programs, isolated by a network policy, and leaves nothing behind', async () => {
    const script = [
      'cat > prompt-copy.txt',
      'echo "at $STEWARD_WORKSPACE with $STEWARD_PROMPT_FILE and $EXTRA"',
      'echo "a warning" >&2',
      'printf \'{"prompt":"%s","prepared":"%s"}\' "$(cat prompt-copy.txt)" "$(cat prepared.txt)" > result.json',
    ].join(';');
    const flow = await worker.createFlow('', {
      agent_config: { command: ['/bin/sh', '-c', script], env: { EXTRA: "it's\ntwo lines" } },
      setup_commands: ['echo before > prepared.txt', 'test "$(cat)" = ""'],
      timeout_seconds: 600,
    });
    const { id } = await worker.trigger(flow);
    const ended = await worker.waitForEnd(id);
    expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
    expect(ended.result).toEqual({ prompt: 'Work on this', prepared: 'before' });
    const lines = (await worker.readLog(ended)).split('\n');
    // The relative order of lines of standard output and standard error is undefined.
    expect(lines).toContain('a warning');
    expect(lines.filter((line) => line !== 'a warning').join('\n')).toContain(
      "at /workspace with /steward/input/prompt.txt and it's\n[redacted]",
    );

    const [job, ...others] = listObjects(id, 'Job');
    expect(others).toEqual([]);
    const { activeDeadlineSeconds, template } = job!.spec as unknown as JobSpec;
    expect(job!.metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'Pod', name: 'steward-flow-trigger-0', uid: 'uid-of-the-worker' },
    ]);
    expect(job!.spec).toMatchObject({ backoffLimit: 0, ttlSecondsAfterFinished: 300 });
    expect(activeDeadlineSeconds).toBeGreaterThan(600);
    expect(template.spec).toMatchObject({
      automountServiceAccountToken: false,
      runtimeClassName: 'gvisor',
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      dnsPolicy: 'None',
    });
    const [policy] = listObjects(id, 'NetworkPolicy');
    expect(policy!.metadata.ownerReferences).toMatchObject([{ kind: 'Job', uid: job!.metadata.uid }]);
    expect(policy!.spec).toMatchObject({
      podSelector: { matchLabels: template.metadata.labels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [],
      egress: [],
    });
    // Other users may be able to read the objects of the cluster.
    const text = JSON.stringify([job, policy]);
    for (const hidden of ['Work on this', 'two lines', 'stw_run_']) expect(text).not.toContain(hidden);
    expect(cluster.listPods(id)).toEqual([]);
  });

  it('is ended with its pod when it is stopped', async () => {
    const flow = await worker.createFlow('echo started; sleep 300');
    const { id } = await worker.trigger(flow);
    await eventually(async () => {
      const run = await worker.find(id);
      const log = await worker.readLog(run);
      if (!log.includes('started')) throw new Error(`${run.status}, ${run.error_message}: ${log}`);
      return true;
    });
    const input = { accountId: worker.accountId, executionId: id, now: new Date() };
    await transact(
      { db: worker.database.db, broker: { publishHint: () => undefined }, traceparent: beginTrace() },
      (trx, hints) => stopExecution(trx, hints, input, OPTIONS),
    );
    expect((await worker.waitForEnd(id)).status).toBe('STOPPED');
    expect(cluster.listPods(id)).toEqual([]);
  });

  it('with secrets that a proxy would send fails because a pod has no proxy', async () => {
    const flow = await worker.createFlow('true', {
      network_secrets: [{ host: 'api.example.com', header: 'authorization', value: 'Bearer x' }],
    });
    const { id } = await worker.trigger(flow);
    const ended = await worker.waitForEnd(id);
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'setup_failed']);
    expect(ended.error_message).toContain('network_secrets cannot be used');
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['outside a cluster', { FLOW_KUBERNETES_API_URL: '' }, 'the worker does not run in a cluster'],
    ['with a cluster address without TLS', { FLOW_KUBERNETES_API_URL: 'http://127.0.0.1:1' }, 'https://HOST:PORT'],
    ['without a volume', { FLOW_KUBERNETES_CLAIM: '' }, 'FLOW_KUBERNETES_CLAIM does not name a volume claim'],
    ['with tool server programs', { TOOL_SERVER_HOST_PORT: '18999' }, 'TOOL_SERVER_HOST_PORT'],
    ['with a shared network', { FLOW_NETWORK: 'shared' }, 'FLOW_NETWORK=shared'],
    ['without a service account', { FLOW_KUBERNETES_CREDENTIALS: '/nonexistent' }, 'has no service account'],
    [
      'in a cluster that does not respond',
      { FLOW_KUBERNETES_API_URL: 'https://127.0.0.1:1' },
      'the cluster cannot be used',
    ],
    ['with pod fields that affect its security', { FLOW_KUBERNETES_POD: '{"hostNetwork":true}' }, 'hostNetwork'],
  ])('is refused at start %s', async (_where, environment, message) => {
    await expect(worker.startWorker(environment)).rejects.toThrow(message);
  });

  const openSandbox = async (more: Partial<KubernetesRunnerOptions> = {}) => {
    const executionId = newId();
    const { FLOW_KUBERNETES_API_URL: url = '', FLOW_KUBERNETES_CREDENTIALS: credentials = '' } = cluster.environment;
    const runner = await createKubernetesRunner({
      access: { url, credentials },
      ...{ namespace: 'steward', image: 'agent', claim: 'work', serviceAccount: 'default', memory: '1Gi', cpus: 1 },
      ...{ more: {}, diskMegabytes: 100, pollMs: 20 },
      network: { api: undefined, operator: [], privateCidrs: [], endpoints: [] },
      ...more,
    });
    const workspace = await prepareWorkspace(volume, executionId);
    const notes: string[] = [];
    const network = { flow: [], repository: undefined, secrets: [], note: (text: string) => void notes.push(text) };
    const { signal } = new AbortController();
    const sandbox = await runner.open({ executionId, workspace, timeoutSeconds: 60, signal, network });
    const lines: string[] = [];
    const run = (script: string, command: Partial<RunnerCommand> = {}) =>
      sandbox.run({
        argv: ['/bin/sh', '-c', script],
        environment: {},
        signal,
        onLine: (line) => Promise.resolve(void lines.push(line)),
        ...command,
      });
    return { executionId, runner, sandbox, run, lines, notes };
  };

  it('receives every line of its programs once and in order, even if the connection to its log breaks', async () => {
    const { run, lines, sandbox, runner } = await openSandbox();
    const counting = run('i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo "line $i"; sleep 0.01; done; exit 7');
    for (const reached of [50, 150, 250]) {
      await eventually(() => lines.length >= reached);
      cluster.cutLogs();
    }
    expect(await counting).toEqual({ kind: 'exited', code: 7 });
    expect(lines).toEqual(Array.from({ length: 300 }, (_, index) => `line ${index + 1}`));
    expect(await run('cat; printf "no end of line"', { stdin: 'given\n' })).toEqual({ kind: 'exited', code: 0 });
    expect(lines.slice(300)).toEqual(['given', 'no end of line']);
    await sandbox.close();
    runner.stop();
  });

  it('starts each program without the processes that the previous one left running', async () => {
    const { run, lines, sandbox, runner } = await openSandbox();
    await run('(trap "" HUP TERM; exec sleep 300) & echo $!');
    expect(await run(`kill -0 ${lines[0]}`)).toMatchObject({ code: 1 });
    await sandbox.close();
    runner.stop();
  });

  it('gets a new pod with the same files after a program that had to be killed', async () => {
    const { executionId, run, lines, sandbox, runner } = await openSandbox();
    const controller = new AbortController();
    const hanging = run('echo kept > file; echo written; sleep 300', { signal: controller.signal });
    await eventually(() => lines.includes('written'));
    controller.abort();
    expect(await hanging).toEqual({ kind: 'killed', signal: 'SIGKILL' });
    expect(cluster.listPods(executionId)).toEqual([]);
    expect(await run('cat file')).toEqual({ kind: 'exited', code: 0 });
    expect(lines).toEqual(['written', 'kept']);
    await sandbox.close();
    await sandbox.close();
    expect(listObjects(executionId, 'Job')).toHaveLength(2);
    runner.stop();
  });

  it('that needs more memory than its pod has fails with the name of this limit, and one whose pod no longer exists fails with a runner error', async () => {
    const first = await openSandbox();
    const greedy = first.run('echo ready; sleep 300');
    await eventually(() => first.lines.includes('ready'));
    cluster.listPods(first.executionId)[0]!.kill('OOMKilled');
    expect(await greedy).toMatchObject({ kind: 'killed', limit: '1Gi of memory (FLOW_KUBERNETES_MEMORY)' });
    const second = await openSandbox();
    const hanging = second.run('echo ready; sleep 300');
    const refused = expect(hanging).rejects.toMatchObject({
      category: 'runner_error',
      message: 'The pod ended before its program: it was removed',
    });
    await eventually(() => second.lines.includes('ready'));
    // A restarted worker removes the objects that the previous one left.
    expect(await second.runner.list()).toContain(second.executionId);
    await second.runner.discard(second.executionId);
    await refused;
    expect(await second.runner.list()).not.toContain(second.executionId);
    await second.runner.discard(newId());
    for (const { sandbox, runner } of [first, second]) {
      await sandbox.close();
      runner.stop();
    }
  });

  it('that uses more disk space than allowed is ended with the name of this limit', async () => {
    const { run, sandbox, runner } = await openSandbox({ diskMegabytes: 1 });
    expect(await run('head -c 3000000 /dev/zero > file; sleep 300')).toEqual({
      kind: 'killed',
      signal: 'SIGKILL',
      limit: '1 MB on disk (FLOW_MAX_DISK_MB)',
    });
    await sandbox.close();
    runner.stop();
  });

  it('reports why its pod does not start', async () => {
    const noImage = await openSandbox({ image: 'no/such-image' });
    await expect(noImage.run('true')).rejects.toThrow('The pod did not start: ImagePullBackOff: no such image');
    expect(cluster.listPods(noImage.executionId)).toEqual([]);
    const noNode = await openSandbox({ image: 'no/such-node' });
    const controller = new AbortController();
    const waiting = noNode.run('true', { signal: controller.signal });
    await eventually(() => noNode.notes.includes('the pod waits for a node: 0/1 nodes are available'));
    controller.abort();
    expect(await waiting).toEqual({ kind: 'killed', signal: 'SIGKILL' });
    for (const { runner } of [noImage, noNode]) runner.stop();
  });
});
