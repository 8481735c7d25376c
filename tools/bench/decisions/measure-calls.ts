import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createApi, type Api } from '../../src/demo/api.ts';
import { printTable } from '../print-table.ts';
import { readCpuMs, readFamilyCpuMs } from '../read-cpu.ts';
import { startBenchProcesses } from '../start-bench-processes.ts';
import { median, summarize, type Latencies } from '../statistics.ts';
import { printTargets } from './print-targets.ts';

const ROUNDS = 5;
const CALLS = 200;
const WARM_UP = 200;
const RULES = 200;
const TARGET_P50_MS = 2.5;

interface Cpu {
  readonly gatewayMs: number;
  readonly postgresMs: number;
}

/**
 * Measures the additional latency of a tool call through the gateway, compared with a direct call. Returns false if it
 * exceeds the target.
 */
export async function measureCalls(reusesCallers: boolean): Promise<boolean> {
  const upstream = spawn(process.execPath, [resolve(import.meta.dirname, 'tool-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(upstream.stdout, 'data')) as [Buffer];
  const url = printed.toString().trim();
  const processes = await startBenchProcesses([], {
    MCP_ALLOW_INSECURE_URLS: new URL(url).origin,
    CALLER_REUSE_ENABLED: String(reusesCallers),
  });
  /** Reads the CPU time so far. */
  const readCpu = (): Cpu => ({
    gatewayMs: readCpuMs(processes.gatewayPid),
    postgresMs: processes.postgresPid === undefined ? Number.NaN : readFamilyCpuMs(processes.postgresPid),
  });
  try {
    const key = await setUp(createApi(processes.apiUrl), url);
    const ways = [
      { name: 'direct', tool: 'read_table', client: await connect(url) },
      { name: 'steward', tool: 'bench__read_table', client: await connect(`${processes.apiUrl}/mcp/v1`, key) },
    ];
    const rounds = new Map<string, Latencies[]>(ways.map(({ name }) => [name, []]));
    for (const { client, tool } of ways) await measure(client, tool, WARM_UP);
    const before = readCpu();
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { name, client, tool } of ways) rounds.get(name)?.push(await measure(client, tool, CALLS));
    const after = readCpu();
    for (const { client } of ways) await client.close();
    return report(rounds, {
      gatewayMs: (after.gatewayMs - before.gatewayMs) / (ROUNDS * CALLS),
      postgresMs: (after.postgresMs - before.postgresMs) / (ROUNDS * CALLS),
    });
  } finally {
    await processes.stop();
    upstream.kill();
  }
}

async function connect(url: string, key?: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

async function measure(client: Client, name: string, calls: number): Promise<Latencies> {
  const valuesMs: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const sentAt = performance.now();
    const result = await client.callTool({ name, arguments: { table: 'orders', limit: call } });
    valuesMs.push(performance.now() - sentAt);
    if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result)}`);
  }
  return summarize(valuesMs);
}

function report(rounds: ReadonlyMap<string, readonly Latencies[]>, { gatewayMs, postgresMs }: Cpu): boolean {
  const base = rounds.get('direct') ?? [];
  // The differences within each round are computed first, then their median.
  const over = (name: string, pick: (one: Latencies) => number): number =>
    median((rounds.get(name) ?? []).map((one, round) => pick(one) - pick(base[round] ?? one)));
  const [busy = 0] = loadavg();
  console.log(
    `\n  one proxied call after the other, ${CALLS} a round, ${ROUNDS} rounds, ${RULES} rules; ${availableParallelism()} processors, load ${busy.toFixed(1)}\n`,
  );
  const rows = [...rounds].map(([name, all]) => [
    name,
    median(all.map(({ p50Ms }) => p50Ms)),
    over(name, ({ p50Ms }) => p50Ms),
    over(name, ({ p99Ms }) => p99Ms),
  ]);
  printTable(['way', 'p50 ms', 'p50 over direct', 'p99 over direct'], rows);
  console.log(`\n  processor time of a call: gateway ${gatewayMs.toFixed(2)} ms, Postgres ${postgresMs.toFixed(2)} ms`);
  const measuredMs = over('steward', ({ p50Ms }) => p50Ms);
  return printTargets([{ what: 'proxied call over a direct one, p50', measuredMs, mostMs: TARGET_P50_MS }]);
}

/** Creates an account with the tool server and a policy without a matching rule; returns the key of an agent. */
async function setUp(anonymous: Api, url: string): Promise<string> {
  const username = `bench-${randomBytes(4).toString('hex')}`;
  const password = randomBytes(12).toString('base64url');
  const body = { username, email: `${username}@example.test`, password };
  await expectStatus(anonymous, '/auth/register', body);
  const login = await anonymous.call('POST', '/api/v1/auth/token/json', { body: { username, password } });
  const api = anonymous.withToken(String(login.body.access_token));
  const { id } = await expectStatus(api, '/mcp-servers', { name: 'bench', url });
  await api.call('POST', `/api/v1/mcp-servers/${String(id)}/refresh`);
  const rules = Array.from({ length: RULES }, (_, index) => ({
    id: `rule-${index}`,
    description: 'a rule',
    match: { tools: ['bench/*'] },
    condition: `has(args.table) && args.table == 'table-${index}'`,
    action: 'deny',
  }));
  await expectStatus(api, '/policies/apply', { version: '1', rules });
  const { key } = await expectStatus(api, '/auth/api-keys', { name: 'bench' });
  return String(key);
}

async function expectStatus(api: Api, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await api.call('POST', `/api/v1${path}`, { body });
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
