import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApi, type Api } from '../../src/demo/api.ts';
import { registerOwner } from '../../src/e2e/register-owner.ts';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { startBenchProcesses } from '../start-bench-processes.ts';
import type { ImportBenchOptions } from './options.ts';
import { addText, makeSession, writeSession, type MadeSession } from './session-files.ts';
import { compareStored, listStored } from './stored-sessions.ts';
import { startWatchingCli, type WatchingCli } from './watching-cli.ts';

const KILLS = 5;
const MOST_MB = 200;
/**
 * Time without a sent file after which the import is idle; it is longer than a round of the command line, in which new
 * files are sent.
 */
const QUIET_MS = 6000;
/** Number of idle periods after which the missing files are printed. */
const MOST_QUIET = 5;

/**
 * Compares the sessions of three agents, sent by a command line that is killed five times, with the sessions that the
 * service has stored.
 */
export async function runBench({ sessions }: ImportBenchOptions): Promise<void> {
  await runWithCleanup(async (stops) => {
    const home = mkdtempSync(join(tmpdir(), 'steward-bench-import-'));
    stops.push(() => rmSync(home, { recursive: true, force: true }));
    const processes = await startBenchProcesses([]);
    stops.push(() => processes.stop());
    const { api } = await registerOwner(createApi(processes.apiUrl), 'bench');
    const { body } = await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'bench' } });
    const environment = { HOME: home, STEWARD_URL: processes.apiUrl, STEWARD_API_KEY: String(body.key) };
    const startedAt = performance.now();
    const { made, peakMb } = await sendKilled(api, { home, sessions, environment });
    const seconds = (performance.now() - startedAt) / 1000;
    const faults = await compareStored(api, made);
    const entries = made.reduce((sum, { texts }) => sum + texts.length, 0);
    console.log(
      `${made.length} sessions, ${entries} entries in ${seconds.toFixed(0)} s, killed and started again ${KILLS} times`,
    );
    console.log(`most memory of the command line: ${peakMb.toFixed(0)} MB (target: below ${MOST_MB})`);
    for (const fault of faults.slice(0, 20)) console.log(`MISSED: ${fault}`);
    if (faults.length === 0)
      console.log('no session is missing, none is there twice, each has the entries of its file');
    if (faults.length > 0 || peakMb >= MOST_MB) process.exitCode = 1;
  });
}

interface Sending {
  readonly home: string;
  readonly sessions: number;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Sends files by a command line that is killed. Half of the files exist before the import; during it these grow and the
 * other half are created.
 */
async function sendKilled(api: Api, { home, sessions, environment }: Sending) {
  const made: MadeSession[] = [];
  const add = (until: number): void => {
    while (made.length < until) {
      const session = makeSession(home, made.length);
      writeSession(session);
      made.push(session);
    }
  };
  add(Math.ceil(sessions / 2));
  let peakMb = 0;
  const share = Math.floor(sessions / 2 / (KILLS + 1));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const cli = startWatchingCli(environment);
    while (cli.sent() < share) await delay(20);
    console.log(`killed after ${cli.sent()} files`);
    add(Math.ceil(sessions / 2) + Math.ceil((sessions / 2) * (kill / KILLS)));
    grow(made, kill);
    peakMb = Math.max(peakMb, await cli.kill());
  }
  const last = startWatchingCli(environment);
  await waitThrough(api, last, made.length);
  return { made, peakMb: Math.max(peakMb, await last.kill()) };
}

/** Extends one file in twenty, each time a different one. */
function grow(made: readonly MadeSession[], turn: number): void {
  for (const [index, session] of made.entries()) {
    if (index % 20 !== turn) continue;
    addText(session);
    writeSession(session);
  }
}

async function waitThrough(api: Api, cli: WatchingCli, sessions: number): Promise<void> {
  for (let [before, quiet] = [-1, 0]; quiet < MOST_QUIET; quiet += 1) {
    await delay(QUIET_MS);
    const sent = cli.sent();
    if (sent !== before) quiet = 0;
    else if ((await listStored(api)).size >= sessions) return;
    before = sent;
  }
}
