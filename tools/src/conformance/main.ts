import { startBenchProcesses } from '../../bench/start-bench-processes.ts';
import { createApi, requireStatus, type Api } from '../demo/api.ts';
import { logIn } from '../demo/log-in.ts';
import { parseOptions } from '../options/parse-options.ts';
import { compareOutcomes, EXCEPTIONS } from './compare-outcomes.ts';
import { runSuite, type SuiteOutcome } from './run-suite.ts';
import { startFront } from './start-front.ts';
import { startSuiteServer, SUITE_NAMES } from './start-suite-server.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const SERVER = 'suite';

const HELP = `npm run conformance

Runs the official test suite of the Model Context Protocol against a tool server, directly and through the gateway. Exits 1 if a check
passes directly but not through the gateway (MC-1). Downloads the suite.`;

parseOptions(process.argv.slice(2), { help: HELP, options: {}, read: () => undefined });
const server = await startSuiteServer();
const processes = await startBenchProcesses([], { MCP_ALLOW_INSECURE_URLS: new URL(server.url).origin });
const key = await addServer(await logIn(createApi(processes.apiUrl)));
const front = await startFront({
  url: `${processes.apiUrl}/mcp/v1`,
  key,
  names: SUITE_NAMES,
  prefix: `${SERVER}__`,
});
try {
  for (const revision of REVISIONS) {
    const [direct, proxied] = [await runSuite(server.url, revision), await runSuite(front.url, revision)];
    if (!report(revision, direct, proxied)) process.exitCode = 1;
  }
} finally {
  await front.close();
  await processes.stop();
  await server.close();
}

async function addServer(api: Api): Promise<string> {
  const body = { name: SERVER, url: server.url };
  const { id } = await requireStatus(201, api.call('POST', '/api/v1/mcp-servers', { body }));
  await requireStatus(200, api.call('POST', `/api/v1/mcp-servers/${String(id)}/refresh`));
  const made = await requireStatus(201, api.call('POST', '/api/v1/auth/api-keys', { body: { name: SERVER } }));
  return String(made.key);
}

/** Prints the outcomes. Returns false if a result is worse through the gateway and there is no documented reason. */
function report(revision: string, direct: SuiteOutcome, proxied: SuiteOutcome): boolean {
  const count = (outcome: SuiteOutcome): number => [...outcome.values()].filter((passed) => passed).length;
  console.log(`\n  ${revision}: ${count(direct)} checks pass direct, ${count(proxied)} through the gateway`);
  const { lost, won, isAsGood } = compareOutcomes(direct, proxied);
  for (const name of lost) console.log(`  only direct: ${name}${EXCEPTIONS[name] ? ` (${EXCEPTIONS[name]})` : ''}`);
  for (const name of won) console.log(`  only through the gateway: ${name}`);
  return isAsGood;
}
