import { startBenchProcesses } from '../../bench/start-bench-processes.ts';
import { printTable } from '../../bench/print-table.ts';
import { createApi, requireStatus } from '../demo/api.ts';
import { logIn } from '../demo/log-in.ts';
import { runWithCleanup } from '../servers/run-with-cleanup.ts';
import { CLIENTS, type Client } from './agents.ts';
import { checkClient, POLICY, type Line } from './check-client.ts';
import { installClients, readVersion } from './install-clients.ts';
import { startPlannedProvider } from './start-planned-provider.ts';

const HELP = `npm run clients -- [agent ...]

Runs coding agents as npm has them (tools/clients: claude, codex, opencode) against a suite of its own and a provider of models on this
machine: models through the gateway, hook, tools, transcript, title, tokens, search. Prints a table, ends with 1 where a line fails.`;

/** `npm run clients`. */
const names = process.argv.slice(2);
const chosen = CLIENTS.filter(({ binary }) => names.length === 0 || names.includes(binary));
if (chosen.length < Math.max(names.length, 1)) {
  console.log(HELP);
  process.exit(names.includes('--help') ? 0 : 2);
}
installClients();
await runWithCleanup(async (stops) => {
  const provider = await startPlannedProvider();
  stops.push(() => provider.close());
  const processes = await startBenchProcesses([], {
    MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: provider.origin,
    REGISTRATION_ENABLED: 'true',
  });
  stops.push(() => processes.stop());
  const results: [Client, readonly Line[]][] = [];
  for (const client of chosen) {
    const api = await logIn(createApi(processes.apiUrl));
    await requireStatus(201, api.call('POST', '/api/v1/policies/apply', { body: POLICY }));
    results.push([client, await checkClient({ api, url: processes.apiUrl, provider }, client)]);
  }
  report(results);
});

/** A row for each check, a column for each agent; what was found where one failed. */
function report(results: readonly (readonly [Client, readonly Line[]])[]): void {
  const heading = ['', ...results.map(([{ name, packageName }]) => `${name} ${readVersion(packageName)}`)];
  const checks = results[0]?.[1].map(({ check }) => check) ?? [];
  const describe = (passed: boolean | undefined): string => (passed === undefined ? '-' : passed ? 'ok' : 'FAILS');
  console.log();
  printTable(
    heading,
    checks.map((check, index) => [check, ...results.map(([, lines]) => describe(lines[index]?.passed))]),
  );
  const failed = results.flatMap(([{ name }, lines]) =>
    lines.filter(({ passed }) => passed === false).map(({ check, found }) => `${name}, ${check}: ${found}`),
  );
  for (const line of failed) console.log(`  ${line}`);
  if (failed.length > 0) process.exitCode = 1;
}
