import { createServer } from 'node:http';
import { migrateAll } from '@steward/migrations';
import { listen, maskUrl } from '@steward/process';
import { setUpBroker } from '../broker/set-up-broker.ts';
import { buildConsole } from '../build/build-console.ts';
import { bundle, bundlePath, watchApps } from '../build/bundle-apps.ts';
import { describeError } from '../describe-error.ts';
import { endOrphans } from './end-orphans.ts';
import { readStartOptions } from './options.ts';
import type { AppName } from '../workspace.ts';
import { serveConsole } from './serve-console.ts';
import { startApps } from './start-apps.ts';
import { startServers } from './start-servers.ts';
import {
  claimStack,
  loadStackSecrets,
  LOG_DIRECTORY,
  readStackState,
  releaseStack,
  SECRET_DIRECTORY,
  writeStackBrokerUrl,
  writeStackDatabaseUrl,
  writeStackState,
  type StackState,
} from './stack-files.ts';

/** Runs `npm start`: the whole suite on this machine, until SIGINT or SIGTERM. */
const startedAt = performance.now();
const options = readStartOptions(process.argv.slice(2), process.env);
const apiUrl = `http://127.0.0.1:${options.port}`;
const stops: (() => Promise<void> | void)[] = [];
const interrupted = new AbortController();
let stopping: Promise<void> | undefined;

function say(line: string): void {
  console.log(`[${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s] ${line}`);
}

/** Stops everything that was started, the last one first. */
function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (const stop of stops.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        console.error(`could not stop cleanly: ${String(error)}`);
      }
    }
  })();
  return stopping;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) return;
    interrupted.abort(new Error('interrupted'));
    say('stopping');
    void stopAll().then(() => process.exit(0));
  });
}

try {
  await start();
} catch (error) {
  if (!interrupted.signal.aborted) {
    console.error(`\nnpm start: ${describeError(error)}`);
    await stopAll();
    process.exit(1);
  }
}

async function start(): Promise<void> {
  let state: StackState = { pid: process.pid, phase: 'starting', apiUrl, healthUrls: {}, processes: [] };
  const before = readStackState();
  const running = claimStack(state);
  if (running !== undefined) {
    console.error(
      `a stack started from this folder is already running (process ${running.pid}, ${running.apiUrl}); stop it with Ctrl-C or: kill ${running.pid}`,
    );
    process.exit(1);
  }
  stops.push(releaseStack);
  const orphans = await endOrphans(before?.processes ?? []);
  if (orphans.length > 0) say(`terminated processes that a killed stack had left behind: ${orphans.join(', ')}`);
  await requireFreePort(options.port);
  const secrets = loadStackSecrets();
  const servers = await startServers({
    environment: process.env,
    source: options.source,
    brokerPasswords: secrets.brokerPasswords,
    allowInstall: options.allowInstall,
    progress: say,
    onExit: (reason) => {
      if (interrupted.signal.aborted || stopping !== undefined) return;
      console.error(`\n${reason}; stopping the stack`);
      void stopAll().then(() => process.exit(1));
    },
  });
  stops.push(() => servers.stop());
  state = { ...state, processes: servers.processes };
  writeStackState(state);
  interrupted.signal.throwIfAborted();
  await migrateAll({ databaseUrl: servers.databaseUrl, rolePasswords: secrets.rolePasswords, log: say });
  writeStackDatabaseUrl(servers.databaseUrl);
  writeStackBrokerUrl(servers.natsUrl('operator'));
  if (servers.nats.origin !== 'environment') await setUpBroker(servers.natsUrl('operator'));
  say('database is up to date');
  await bundle();
  say('apps are built');
  if (await buildConsole()) say('the console is built');
  interrupted.signal.throwIfAborted();

  const apps = await startApps({
    databaseUrl: servers.databaseUrl,
    natsUrl: servers.natsUrl,
    secrets,
    apiPort: options.port,
    environment: process.env,
    logDirectory: LOG_DIRECTORY,
    secretDirectory: SECRET_DIRECTORY,
    onLine: say,
    onPids: (pids) => {
      const apps = Object.entries(pids).map(([name, pid]) => ({ name, pid, command: bundlePath(name as AppName) }));
      state = { ...state, processes: [...apps, ...servers.processes] };
      writeStackState(state);
    },
  });
  stops.push(() => apps.stop());
  if (process.env.DEBUG === 'true') {
    stops.push(await watchApps(reload, (app, message) => say(`${app}: ${message}`)));
    const console = await serveConsole(apiUrl);
    stops.push(console.stop);
    say(`the console from its sources: ${console.url}`);
  }
  await apps.waitUntilHealthy(interrupted.signal);
  state = { ...state, phase: 'ready', healthUrls: apps.healthUrls };
  writeStackState(state);
  say('ready: every app is healthy');
  printSummary(apps.healthUrls, {
    database: servers.databaseUrl,
    nats: servers.nats.url,
    agents: await readSeparation(apps.healthUrls['flow-trigger']),
  });

  function reload(app: Parameters<typeof apps.restart>[0]): void {
    say(`${app} changed; restarting it`);
    apps.restart(app);
  }
}

async function requireFreePort(port: number): Promise<void> {
  const probe = createServer();
  await listen(probe, { host: '127.0.0.1', port, variable: 'PORT' });
  await new Promise((resolve) => probe.close(resolve));
}

/** Reads the worker's description of how agents are isolated from the service. */
async function readSeparation(healthUrl: string): Promise<string> {
  try {
    const health = (await (await fetch(healthUrl)).json()) as { activity?: { agents?: string } };
    return health.activity?.agents ?? 'the worker does not report it';
  } catch {
    return 'the worker does not respond';
  }
}

function printSummary(
  healthUrls: Readonly<Record<string, string>>,
  facts: { readonly database: string; readonly nats: string; readonly agents: string },
): void {
  const workers = Object.entries(healthUrls).filter(([app]) => app !== 'api-gateway');
  console.log(
    [
      '',
      `  console     ${apiUrl}/`,
      `  API         ${apiUrl}/api/v1`,
      `  API docs    ${apiUrl}/docs/api`,
      ...workers.map(([app, url]) => `  ${app.padEnd(20)}${url}`),
      `  database    ${maskUrl(facts.database)}`,
      `  broker      ${maskUrl(facts.nats)}`,
      `  logs        ${LOG_DIRECTORY}`,
      `  agents      ${facts.agents}`,
      '',
      '  npm run demo   in another terminal shows it at work; Ctrl-C here stops everything',
      '',
    ].join('\n'),
  );
}
