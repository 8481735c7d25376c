import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { createApi, type Api } from '../../src/demo/api.ts';
import { WORKSPACE_ROOT } from '../../src/workspace.ts';
import { ignoreFigure, type CollectFigure, type Figure } from '../collect-figures.ts';
import { buildLargestFiles, measureMemoryCost } from './gateway-memory.ts';
import { runClosedLoop, runOpenLoop, sendBurst, type LoadResult, type Target } from './load.ts';
import type { TriggerBenchOptions } from './options.ts';
import { startN8n } from './start-n8n.ts';
import { startBareProcess, type BareProcess } from '../start-bare-process.ts';
import { startBenchProcesses, type BenchProcesses } from '../start-bench-processes.ts';
import { CLOCK_AGENT, measureStartedLatency } from './started-latency.ts';
import { readCpuMs, readFamilyCpuMs } from '../read-cpu.ts';
import { median } from '../statistics.ts';

const TARGETS = { openLoopP99Ms: 50, startedP50Ms: 100, extraMb: 60 };
const missed: string[] = [];

/**
 * Runs `npm run bench -- triggers`: see `--help`. All measurements are made in one run, because numbers from different
 * runs on a shared machine are not comparable.
 */
export async function runBench(options: TriggerBenchOptions): Promise<void> {
  await measureTriggers(options);
  for (const line of missed) console.log(`MISSED: ${line}`);
  if (missed.length === 0) console.log('every target is met');
  else process.exitCode = 1;
}

/** Prints the figures, and returns the rates. */
export async function measureTriggers(
  options: TriggerBenchOptions,
  collect: CollectFigure = ignoreFigure,
): Promise<void> {
  const processes = await startBenchProcesses(['flow-trigger']);
  const bare = await startBareProcess(resolve(import.meta.dirname, 'bare-express.ts'));
  try {
    const { api, flowId, secret } = await setUp(createApi(processes.apiUrl));
    const path = `/webhooks/flows/${flowId}/${secret}`;
    const push = readFileSync(resolve(WORKSPACE_ROOT, 'tools/demo/github-push.json'));
    const steward: Target = { name: 'steward', url: `${processes.apiUrl}${path}`, expectedStatus: 202, body: push };
    const limit: Target = { name: 'bare express', url: `${bare.url}${path}`, expectedStatus: 202, body: push };
    const [busy = 0] = loadavg();
    console.log(
      `${availableParallelism()} processors shared by client, gateway, Postgres and NATS; load ${busy.toFixed(1)} before the start`,
    );
    console.log(`payload ${push.length} bytes, one gateway process, Postgres with fsync\n`);

    if (!options.onlyRates) await measureStart(processes, api, path);
    for (const target of [limit, steward]) await runClosedLoop(target, 32, 3);
    if (!options.onlyRates) await measureMemory(processes, steward);
    await compareClosedLoops({ processes, bare, limit, steward }, options, collect);
    if (!options.onlyRates) await measureOpenLoop(limit, steward);
    if (options.withN8n) await compareWithN8n(push, options, collect);
  } finally {
    bare.stop();
    await processes.stop();
  }
}

async function measureStart(processes: BenchProcesses, api: Api, path: string): Promise<void> {
  const worker = await processes.startApp('flow-trigger');
  const started = await measureStartedLatency(api, path, 40);
  await worker.stop();
  console.log(
    `trigger -> agent started, idle: p50 ${ms(started.p50Ms)}, p99 ${ms(started.p99Ms)} (${started.count} runs)`,
  );
  expectAtMost('trigger -> agent started p50', started.p50Ms, TARGETS.startedP50Ms, 'ms');
}

async function setUp(anonymous: Api): Promise<{ api: Api; flowId: string; secret: string }> {
  const password = randomBytes(12).toString('base64url');
  await anonymous.call('POST', '/api/v1/auth/register', {
    body: { username: 'bench', email: 'bench@example.test', password },
  });
  const login = await anonymous.call('POST', '/api/v1/auth/token/json', { body: { username: 'bench', password } });
  const api = anonymous.withToken(String(login.body.access_token));
  const { body } = await api.call('POST', '/api/v1/flows', {
    body: {
      name: 'bench',
      trigger: 'webhook',
      prompt_template: 'Look at {{trigger_event.payload.ref}}',
      agent_type: 'command',
      agent_config: { command: CLOCK_AGENT },
    },
  });
  const flow = body as unknown as { id: string; webhook_config: { webhook_secret: string } };
  return { api, flowId: flow.id, secret: flow.webhook_config.webhook_secret };
}

interface Contest {
  readonly processes: BenchProcesses;
  readonly bare: BareProcess;
  readonly limit: Target;
  readonly steward: Target;
}

/** Compares both closed loops. They alternate, so that other load affects both; the median of the rounds is used. */
async function compareClosedLoops(
  { processes, bare, limit, steward }: Contest,
  { rounds: times, roundSeconds }: TriggerBenchOptions,
  collect: CollectFigure,
): Promise<void> {
  const readCpu = () => ({
    bare: readCpuMs(bare.pid),
    gateway: readCpuMs(processes.gatewayPid),
    postgres: processes.postgresPid === undefined ? Number.NaN : readFamilyCpuMs(processes.postgresPid),
  });
  for (const concurrency of [1, 8, 32]) {
    const before = readCpu();
    const rounds: { limit: LoadResult; steward: LoadResult }[] = [];
    for (let round = 0; round < times; round += 1) {
      rounds.push({
        limit: await runClosedLoop(limit, concurrency, roundSeconds),
        steward: await runClosedLoop(steward, concurrency, roundSeconds),
      });
    }
    const after = readCpu();
    const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick));
    const count = (name: 'limit' | 'steward') => rounds.reduce((sum, round) => sum + round[name].count, 0);
    const ratio = of((round) => round.steward.perSecond / round.limit.perSecond);
    const bareMs = (after.bare - before.bare) / count('limit');
    const gatewayMs = (after.gateway - before.gateway) / count('steward');
    const postgresMs = (after.postgres - before.postgres) / count('steward');
    console.log(`concurrency ${concurrency}`);
    for (const name of ['limit', 'steward'] as const) {
      const rate = of((round) => round[name].perSecond).toFixed(0);
      collect(
        nameRate(
          name === 'limit' ? limit : steward,
          concurrency,
          of((round) => round[name].perSecond),
        ),
      );
      const p50 = ms(of((round) => round[name].p50Ms));
      const p99 = ms(of((round) => round[name].p99Ms));
      console.log(`  ${name.padEnd(8)} ${rate.padStart(6)}/s   p50 ${p50}   p99 ${p99}`);
    }
    console.log(
      `  ratio    ${ratio.toFixed(2)}; processor time per request: bare route ${bareMs.toFixed(3)} ms, gateway ${gatewayMs.toFixed(3)} ms, Postgres ${postgresMs.toFixed(3)} ms`,
    );
  }
}

async function measureOpenLoop(limit: Target, steward: Target): Promise<void> {
  for (const target of [limit, steward]) {
    const result = await runOpenLoop(target, 200, 15);
    console.log(
      `200/s open loop, ${target.name}: p50 ${ms(result.p50Ms)}, p99 ${ms(result.p99Ms)}, max ${ms(result.maxMs)}`,
    );
    if (target === steward) expectAtMost('p99 at 200/s', result.p99Ms, TARGETS.openLoopP99Ms, 'ms');
  }
}

/**
 * Measures the memory cost. The target is for twenty simultaneous requests. Twenty permanent connections show the
 * steady state, since V8 collects buffers only after 64 MB of garbage.
 */
async function measureMemory(processes: BenchProcesses, steward: Target): Promise<void> {
  const large = { ...steward, body: Buffer.from(JSON.stringify({ workspace_files: buildLargestFiles() })) };
  const burst = await measureMemoryCost(processes.gatewayPid, () => sendBurst(large, 20));
  const sustained = await measureMemoryCost(processes.gatewayPid, () => runClosedLoop(large, 20, 5));
  const settledMb = sustained.peakMb - burst.baselineMb;
  console.log(
    `1 MiB of files, 20 requests at once: ${burst.baselineMb.toFixed(0)} MB before, ${burst.extraMb.toFixed(0)} MB extra; 20 without a pause for 5 s: ${settledMb.toFixed(0)} MB extra`,
  );
  expectAtMost('extra memory of 20 large requests', burst.extraMb, TARGETS.extraMb, 'MB');
}

function nameRate({ name: contender }: Pick<Target, 'name'>, concurrency: number, value: number): Figure {
  return { measure: `triggers accepted, ${concurrency} at once: a second`, contender, value };
}

async function compareWithN8n(
  body: Buffer,
  { roundSeconds }: TriggerBenchOptions,
  collect: CollectFigure,
): Promise<void> {
  const n8n = await startN8n((line) => console.error(line));
  if (n8n.kind === 'skipped') {
    console.log(`n8n: skipped, ${n8n.reason}`);
    collect(nameRate({ name: `n8n: skipped, ${n8n.reason}` }, 1, Number.NaN));
    return;
  }
  const target: Target = { name: 'n8n', url: n8n.webhookUrl, expectedStatus: 200, body };
  try {
    await runClosedLoop(target, 8, 3);
    for (const concurrency of [1, 8, 32]) {
      const result = await runClosedLoop(target, concurrency, roundSeconds);
      collect(nameRate(target, concurrency, result.perSecond));
      console.log(
        `n8n ${n8n.version} webhook node, concurrency ${concurrency}: ${result.perSecond.toFixed(0)}/s, p50 ${ms(result.p50Ms)}, p99 ${ms(result.p99Ms)}`,
      );
    }
  } finally {
    await n8n.stop();
  }
}

function expectAtMost(what: string, actual: number, target: number, unit: string): void {
  if (actual > target) missed.push(`${what} ${actual.toFixed(1)} ${unit}; the target is ${target} ${unit}`);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
