import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@steward/local-servers';
import { createApi, type Api } from '../../src/demo/api.ts';
import { WORKSPACE_ROOT } from '../../src/workspace.ts';
import { ignoreFigure, type CollectFigure } from '../collect-figures.ts';
import { printTable } from '../print-table.ts';
import { readCpuMs, readFamilyCpuMs } from '../read-cpu.ts';
import { startBareProcess } from '../start-bare-process.ts';
import { startBenchProcesses, type BenchProcesses } from '../start-bench-processes.ts';
import { median } from '../statistics.ts';
import { holdStreams, measureStreams, measureUnary, type UnaryTimes, type Way } from './load.ts';
import type { Concurrency, GatewayBenchOptions } from './options.ts';
import { startPortkey } from './start-portkey.ts';

const CALLS: Readonly<Record<Concurrency, number>> = { 1: 40, 10: 300, 50: 1500 };
const STREAMS = 150;
const OPEN_STREAMS = 1000;
/** Time within which V8 usually returns the memory of ended calls. */
const REST_MS = 20_000;
const ACCOUNTS = 50;
/** Milliseconds until the first byte of a fast model, and between its events. */
const MODEL = { firstByteMs: 100, betweenEventsMs: 5 };
const TARGETS = {
  p50Ms: { 1: 2, 10: 3, 50: 6 },
  p99Ms: 25,
  gatewayCpuMs: 0.7,
  firstByteMs: 2.5,
  openStreamsMb: 250,
} as const;
/**
 * Number of calls of each way before the measurement, because a process that runs for hours has already compiled its
 * frequently used code.
 */
const WARM_UP = { atOnce: 50, count: 10_000 } as const;
/** Milliseconds of calls before each measurement, after which an account that repeats its calls usually has a lease. */
const LEAD_IN_MS = 500;
const outcomes: { readonly what: string; readonly value: number; readonly most: number; readonly unit: string }[] = [];

/**
 * Runs `npm run bench -- gateway`: see `--help`. The ways alternate within one run, because numbers from different runs
 * on a shared machine are not comparable.
 */
export async function runBench(options: GatewayBenchOptions): Promise<void> {
  await measureGateway(options);
  const isMet = ({ value, most }: (typeof outcomes)[number]): boolean => value <= most;
  console.log('\ntargets');
  const rows = outcomes.map((one) => [`${one.what}, ${one.unit}`, one.value, one.most, isMet(one) ? 'met' : 'MISSED']);
  printTable(['', 'measured', 'at most', ''], rows);
  if (!outcomes.every(isMet)) process.exitCode = 1;
}

/** Prints the figures, and returns those of the calls without streaming. */
export async function measureGateway(
  options: GatewayBenchOptions,
  collect: CollectFigure = ignoreFigure,
): Promise<void> {
  const { withPortkey, withStreams, reusesCallers } = options;
  const provider = await startProvider();
  const processes = await startBenchProcesses([], {
    MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: provider.origin,
    REGISTRATION_RATE_PER_MINUTE: '1000',
    CALLER_REUSE_ENABLED: String(reusesCallers),
  });
  const bare = await startBareProcess(resolve(import.meta.dirname, 'bare-proxy.ts'), [provider.origin]);
  const portkey = withPortkey ? await startPortkey((line) => console.error(line)) : undefined;
  try {
    const anonymous = createApi(processes.apiUrl);
    const tokens = [];
    for (let index = 0; index <= ACCOUNTS; index += 1) tokens.push(await setUp(anonymous, provider.origin, index));
    const bearers = tokens.map((token) => ({ authorization: `Bearer ${token}` }));
    const chat = `${processes.apiUrl}/openai/v1/chat/completions`;
    const direct: Way = {
      name: 'direct',
      url: `${provider.origin}/v1/chat/completions`,
      headers: [{}],
      model: 'fake-large',
    };
    const own: Way = { name: 'steward, one account', url: chat, headers: bearers.slice(0, 1), model: 'fast' };
    const others: Way = { ...own, name: `steward, ${ACCOUNTS} accounts`, headers: bearers.slice(1) };
    const proxy: Way = { ...direct, name: 'bare proxy', url: direct.url.replace(provider.origin, bare.url) };
    const ways: Way[] = [direct, proxy, own, others];
    if (portkey?.kind === 'running') {
      const to = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${provider.origin}/v1` };
      const headers = [{ ...to, authorization: 'Bearer none' }];
      const name = `portkey ${portkey.version}`;
      ways.push({ name, url: `${portkey.url}/v1/chat/completions`, headers, model: 'fake-large' });
    } else if (portkey !== undefined) {
      console.log(`portkey: skipped, ${portkey.reason}`);
      collect({ measure: nameMeasure(1), contender: `portkey: skipped, ${portkey.reason}`, value: Number.NaN });
    }
    const [busy = 0] = loadavg();
    console.log(
      `${availableParallelism()} processors shared by client, provider, gateways and Postgres; load ${busy.toFixed(1)} before the start`,
    );
    await compareUnary(ways, provider.behave, processes, options, collect);
    if (!withStreams) return;
    await compareStreams(ways, provider.behave);
    await provider.behave({ betweenEventsMs: 60_000 });
    const [openMb, restedMb] = await holdStreams(own, OPEN_STREAMS, async () => {
      const atOnceMb = readResidentMb(processes.gatewayPid);
      await delay(REST_MS);
      return [atOnceMb, readResidentMb(processes.gatewayPid)] as const;
    });
    console.log(
      `\n${OPEN_STREAMS} open streams: ${Math.round(openMb)} MB resident, ${Math.round(restedMb)} after ${REST_MS / 1000} s without calls`,
    );
    expectAtMost('resident memory with open streams', openMb, TARGETS.openStreamsMb, 'MB');
  } finally {
    if (portkey?.kind === 'running') portkey.stop();
    bare.stop();
    await processes.stop();
    provider.stop();
  }
}

type Behave = (behaviour: object) => Promise<void>;

async function compareUnary(
  ways: readonly Way[],
  behave: Behave,
  processes: BenchProcesses,
  { rounds: times, share, atOnce: levels }: GatewayBenchOptions,
  collect: CollectFigure,
): Promise<void> {
  await behave({ firstByteMs: MODEL.firstByteMs });
  for (const way of ways)
    await measureUnary(
      way,
      { ...WARM_UP, count: Math.ceil(WARM_UP.count * share), leadInMs: 0 },
      () => () => undefined,
    );
  for (const atOnce of levels) {
    const rounds = new Map<string, Round[]>(ways.map(({ name }) => [name, []]));
    const load = { atOnce, count: Math.ceil(CALLS[atOnce] * share), leadInMs: LEAD_IN_MS };
    for (let round = 0; round < times; round += 1) {
      for (const way of ways) rounds.get(way.name)?.push(await measureUnary(way, load, () => startCost(processes)));
    }
    const base = rounds.get('direct') ?? [];
    // The differences within each round are computed first, then their median.
    const over = (name: string, pick: (one: Round) => number): number =>
      median((rounds.get(name) ?? []).map((one, round) => pick(one) - pick(base[round] ?? one)));
    const rows = ways.map(({ name }) => [
      name,
      median((rounds.get(name) ?? []).map(pickP50)),
      over(name, pickP50),
      over(name, pickP99),
      ...(atOnce === 50 ? [over(name, pickFirst)] : []),
      ...(name.startsWith('steward') ? describeCost(rounds.get(name)) : [Number.NaN, Number.NaN]),
    ]);
    console.log(`\nat once: ${atOnce}, ${load.count} calls, ${times} rounds`);
    const first = atOnce === 50 ? ['slowest first call over direct'] : [];
    const columns = ['p50 ms', 'p50 over direct', 'p99 over direct', ...first, 'gateway CPU', 'Postgres CPU'];
    printTable(['way', ...columns], rows);
    for (const { name } of ways.slice(1)) {
      collect({ measure: nameMeasure(atOnce), contender: name, value: over(name, pickP50) });
    }
    const peer = ways.find(({ name }) => name.startsWith('portkey'))?.name;
    for (const { name } of ways.filter((way) => way.name.startsWith('steward'))) {
      const at = `${name}, ${atOnce} at once`;
      expectAtMost(`${at}, p50`, over(name, pickP50), TARGETS.p50Ms[atOnce], 'ms');
      if (peer !== undefined)
        expectAtMost(`${at}, p50, that of ${peer}`, over(name, pickP50), over(peer, pickP50), 'ms');
      if (atOnce !== 50) continue;
      expectAtMost(`${at}, p99`, over(name, pickP99), TARGETS.p99Ms, 'ms');
      const [gatewayMs = Number.NaN] = describeCost(rounds.get(name));
      expectAtMost(`${at}, processor time of the gateway`, gatewayMs, TARGETS.gatewayCpuMs, 'ms');
    }
  }
}

type Round = UnaryTimes<CallCost>;
const pickP50 = ({ p50Ms }: Round): number => p50Ms;
const pickP99 = ({ p99Ms }: Round): number => p99Ms;
const pickFirst = ({ firstMaxMs }: Round): number => firstMaxMs;

function nameMeasure(atOnce: number): string {
  return `a call of a model, ${atOnce} at once: p50 over direct, ms`;
}

interface CallCost {
  readonly gatewayMs: number;
  readonly postgresMs: number;
}

/** Starts to measure the CPU time per call. */
function startCost({ gatewayPid, postgresPid = 0 }: BenchProcesses): (calls: number) => CallCost {
  const [gateway, postgres] = [readCpuMs(gatewayPid), readFamilyCpuMs(postgresPid)];
  return (calls) => ({
    gatewayMs: (readCpuMs(gatewayPid) - gateway) / calls,
    postgresMs: (readFamilyCpuMs(postgresPid) - postgres) / calls,
  });
}

function describeCost(rounds: readonly Round[] = []): number[] {
  return [median(rounds.map(({ cost }) => cost.gatewayMs)), median(rounds.map(({ cost }) => cost.postgresMs))];
}

async function compareStreams(ways: readonly Way[], behave: Behave): Promise<void> {
  await behave(MODEL);
  const rows = [];
  let directMs = Number.NaN;
  for (const way of ways) {
    const { firstByteP50Ms, firstByteP99Ms, wholeP50Ms } = await measureStreams(way, 10, STREAMS);
    if (way.name === 'direct') directMs = firstByteP50Ms;
    rows.push([way.name, firstByteP50Ms, firstByteP50Ms - directMs, firstByteP99Ms, wholeP50Ms]);
    if (way.name.startsWith('steward'))
      expectAtMost(`${way.name}, first byte of a stream, p50`, firstByteP50Ms - directMs, TARGETS.firstByteMs, 'ms');
  }
  console.log(`\nstreams, 10 at once, ${STREAMS}`);
  printTable(['way', 'first byte p50 ms', 'over direct', 'first byte p99 ms', 'whole p50 ms'], rows);
}

/** Starts the provider as a separate process. */
async function startProvider() {
  const port = await findFreePort();
  const child = spawn(
    process.execPath,
    [resolve(WORKSPACE_ROOT, 'tools/fake-provider/src/main.ts'), '--port', String(port)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  const origin = `http://127.0.0.1:${port}`;
  const behave: Behave = async (behaviour) => {
    await fetch(`${origin}/behaviour`, { method: 'DELETE' });
    await fetch(`${origin}/behaviour`, { method: 'PUT', body: JSON.stringify({ behaviour, times: 1_000_000_000 }) });
  };
  return { origin, behave, stop: () => void child.kill() };
}

/** Creates an account with a model, its price and a hard budget that is never reached. */
async function setUp(anonymous: Api, origin: string, index: number): Promise<string> {
  const password = randomBytes(12).toString('base64url');
  const username = `bench-${index}`;
  await anonymous.call('POST', '/api/v1/auth/register', {
    body: { username, email: `${username}@example.test`, password },
  });
  const login = await anonymous.call('POST', '/api/v1/auth/token/json', { body: { username, password } });
  const api = anonymous.withToken(String(login.body.access_token));
  const prices = { input_per_mtok_usd: 1, output_per_mtok_usd: 4 };
  const model = {
    alias: 'fast',
    provider: 'openai',
    base_url: origin,
    model_identifier: 'fake-large',
    api_key: 'k',
    prices,
  };
  const budget = { scope: 'account', period: 'monthly', limit_amount: 1_000_000 };
  for (const [path, body] of [
    ['ai-models', model],
    ['budgets', budget],
  ] as const) {
    const { status, body: answer } = await api.call('POST', `/api/v1/${path}`, { body });
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }
  const key = await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'bench' } });
  return String(key.body.key);
}

function readResidentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}

function expectAtMost(what: string, value: number, most: number, unit: string): void {
  outcomes.push({ what, value, most, unit });
}
