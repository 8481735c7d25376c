import { startBenchProcesses } from '../../bench/start-bench-processes.ts';
import { printTable } from '../../bench/print-table.ts';
import { createApi, requireStatus } from '../demo/api.ts';
import { registerOwner } from '../e2e/register-owner.ts';
import { runWithCleanup } from '../servers/run-with-cleanup.ts';
import { CLIENTS, type Client } from './agents.ts';
import { checkClient } from './check-client.ts';
import { checkGuides } from './check-guides.ts';
import { installClients, readVersion } from './install-clients.ts';
import type { Line } from './line.ts';
import { buildPolicy, DEPOT } from './rules.ts';
import { startDepot, type Depot } from './start-depot.ts';
import { startPlannedProvider, type PlannedProvider } from './start-planned-provider.ts';
import { startReviewer } from './start-reviewer.ts';

const HELP = `npm run clients -- [agent ... | guides]

Runs coding agents from npm (tools/clients: claude, codex, opencode) against its own suite and a model provider on this machine. Checks
that the hook is trusted; allowed, denied, held and approved calls, by hook and as tools of the service; model calls through the gateway; and
transcript, title, tokens and search. "guides" runs the programs of the guides that need packages from outside the repository. Prints
tables; exits 1 if a line fails.`;
const GUIDES = 'guides';

/** Runs `npm run clients`. */
const names = process.argv.slice(2);
const chosen = CLIENTS.filter(({ binary }) => names.length === 0 || names.includes(binary));
const hasGuides = names.length === 0 || names.includes(GUIDES);
if (chosen.length + (names.includes(GUIDES) ? 1 : 0) < names.length) {
  console.log(HELP);
  process.exit(names.includes('--help') ? 0 : 2);
}
installClients();
await runWithCleanup(async (stops) => {
  const provider = await startPlannedProvider();
  stops.push(() => provider.close());
  const depot = await startDepot();
  stops.push(() => depot.close());
  const processes = await startBenchProcesses([], {
    MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: provider.origin,
    MCP_ALLOW_INSECURE_URLS: new URL(depot.url).origin,
    REGISTRATION_ENABLED: 'true',
  });
  stops.push(() => processes.stop());
  const { apiUrl: url } = processes;
  const results: [string, readonly Line[]][] = [];
  for (const client of chosen) {
    const name = `${client.name} ${readVersion(client.packageName)}`;
    results.push([name, await tryClient(client, { provider, depot, url })]);
  }
  if (results.length > 0) report(results);
  if (hasGuides) report(await checkGuides({ url, provider }));
});

/** Runs the checks of a client with a separate account, and with a reviewer. */
async function tryClient(
  client: Client,
  { provider, depot, url }: { readonly provider: PlannedProvider; readonly depot: Depot; readonly url: string },
): Promise<readonly Line[]> {
  const username = `owner-${client.binary}`;
  const { api } = await registerOwner(createApi(url), username);
  depot.forget();
  const reviewer = await startReviewer(api, url);
  try {
    await requireStatus(201, api.call('POST', '/api/v1/policies/apply', { body: buildPolicy(reviewer.username) }));
    const { id } = await requireStatus(
      201,
      api.call('POST', '/api/v1/mcp-servers', { body: { name: DEPOT, url: depot.url } }),
    );
    await requireStatus(200, api.call('POST', `/api/v1/mcp-servers/${String(id)}/refresh`));
    return await checkClient({ api, username, url, provider, depot, reviewer }, client);
  } finally {
    await reviewer.stop();
  }
}

/** Prints one row for each check and one column for each agent; a failed check is explained. */
function report(results: readonly (readonly [name: string, lines: readonly Line[]])[]): void {
  const checks = results[0]?.[1].map(({ check }) => check) ?? [];
  const describe = (passed: boolean | undefined): string => (passed === undefined ? '-' : passed ? 'ok' : 'FAILS');
  console.log();
  printTable(
    ['', ...results.map(([name]) => name)],
    checks.map((check, index) => [check, ...results.map(([, lines]) => describe(lines[index]?.passed))]),
  );
  const failed = results.flatMap(([name, lines]) =>
    lines.filter(({ passed }) => passed === false).map(({ check, found }) => `${name}, ${check}: ${found}`),
  );
  for (const line of failed) console.log(`  ${line}`);
  if (failed.length > 0) process.exitCode = 1;
}
