import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { Api } from '../../demo/api.ts';
import { docker, inspectContainer } from '../docker.ts';
import { CALL_API } from '../compose/use.ts';
import { awaitEnd, awaitStatus, runAgent, startAgent } from '../visitor.ts';
import { awaitContainer, awaitNoContainer, type RunnerDeployment } from './agent-containers.ts';

const TIMEOUT_SECONDS = 70;

export async function checkConfinement({ api }: RunnerDeployment): Promise<void> {
  const run = await runAgent(
    api,
    [
      'grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status',
      'echo "uid=$(id -u)"',
      'touch /steward/input/x 2> /dev/null && echo "input=writable"',
      'test -e /var/run/docker.sock && echo "socket=here"',
      'env | grep -c -E "DATABASE_URL|NATS_URL|SECRET|DOCKER" | sed "s/^/variables=/"',
      'tr "\\0" "\\n" < /proc/1/environ | grep -c -E "DATABASE_URL|NATS_URL|SECRET|DOCKER" | sed "s/^/first=/"',
    ].join('; '),
  );
  const said = run.log.replaceAll(String.raw`\t`, ' ');
  for (const line of [
    /CapEff: +0{16}/,
    /CapBnd: +0{16}/,
    /NoNewPrivs: +1/,
    /Seccomp: +2/,
    /uid=1000/,
    /variables=0/,
    /first=0/,
  ])
    ok(line.test(said), `${String(line)} in ${said.slice(0, 1500)}`);
  for (const text of ['input=writable', 'socket=here']) ok(!said.includes(text), text);
}

/** Checks which data of a run every user of the machine can see. */
export async function checkArguments({ api }: RunnerDeployment): Promise<void> {
  const flow = { timeout_seconds: TIMEOUT_SECONDS, prompt_template: 'canary-of-the-prompt' };
  await lookAtAgent(api, flow, async (container) => {
    const lines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(readCommandLine);
    const facts = await inspectContainer(container);
    equal(facts.Args.at(-1), String(TIMEOUT_SECONDS + 120));
    equal(facts.HostConfig.MemorySwap, facts.HostConfig.Memory);
    const whole = [...lines, await docker('inspect', container)].join('\n');
    for (const hidden of ['canary-of-the-prompt', 'stw_run_']) ok(!whole.includes(hidden), hidden);
  });
}

/** Inspects the container of an agent that runs until the inspection is finished. */
async function lookAtAgent(
  api: Api,
  flow: Readonly<Record<string, unknown>>,
  look: (container: string) => Promise<void>,
): Promise<void> {
  const id = await startAgent(api, 'echo "token=$STEWARD_TOKEN" | wc -c; sleep 300', { flow });
  await awaitStatus(api, id, 'RUNNING');
  await look(await awaitContainer(id));
  await api.call('POST', `/api/v1/flows/executions/${id}/stop`);
  equal((await awaitEnd(api, id)).status, 'STOPPED');
}

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const REACH = (host: string, port: number): string =>
  `node -e 'require("net").connect({ host: "${host}", port: ${port}, timeout: 3000 }).on("connect", () => { console.log("${host} reached"); process.exit() }).on("error", () => process.exit()).on("timeout", () => process.exit())'`;

export async function checkNetwork({ project, api }: RunnerDeployment): Promise<void> {
  const addresses = await Promise.all(
    ['postgres', 'nats'].map(async (service) => {
      const [id = ''] = await project.listContainers(service);
      return (await inspectContainer(id)).NetworkSettings.Networks[`${project.name}_default`]?.IPAddress ?? '';
    }),
  );
  const [postgres = '', nats = ''] = addresses;
  const run = await runAgent(
    api,
    [CALL_API, REACH('postgres', 5432), REACH('nats', 4222), REACH(postgres, 5432), REACH(nats, 4222)].join('; '),
  );
  equal(run.status, 'SUCCEEDED', run.failure);
  ok(run.log.includes('the API said 200'), run.log);
  ok(!run.log.includes(' reached'), run.log);
}

export async function checkLimits({ api }: RunnerDeployment): Promise<void> {
  const hog = await runAgent(api, `node -e 'const kept = []; for (;;) kept.push(Buffer.alloc(1e7, 1))'`);
  deepEqual([hog.status, hog.failure.split(':')[0]], ['FAILED', 'agent_error'], hog.failure);
  const many = await runAgent(api, 'for i in $(seq 1 100); do sleep 5 & done 2>&1; true');
  ok(/fork/i.test(many.log), many.log.slice(0, 500));
  await lookAtAgent(api, {}, async (container) => {
    const limits = await docker('inspect', '--format', '{{.HostConfig.NanoCpus}} {{.HostConfig.Memory}}', container);
    equal(limits, '500000000 268435456');
  });
}

export async function checkBackground({ api }: RunnerDeployment): Promise<string> {
  const startedAt = performance.now();
  const run = await runAgent(api, 'sleep 300 & setsid sleep 300 & echo done');
  const seconds = (performance.now() - startedAt) / 1000;
  equal(run.status, 'SUCCEEDED', run.failure);
  ok(seconds < 20, `${seconds} s`);
  await awaitNoContainer(run.id);
  return `${seconds.toFixed(1)} s`;
}
