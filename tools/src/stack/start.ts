import { createServer } from 'node:http';
import { listen, maskUrl } from '@steward/runtime';
import { migrateAll } from '@steward/migrations';
import { bundle, watchApps } from '../build/bundle-apps.ts';
import { readStartOptions } from './options.ts';
import { startApps } from './start-apps.ts';
import { startServers } from './start-servers.ts';
import {
  claimStack,
  loadStackSecrets,
  LOG_DIRECTORY,
  releaseStack,
  writeStackDatabaseUrl,
  writeStackState,
  type StackState,
} from './stack-files.ts';

/** `npm start`: the whole suite on this machine, until SIGINT or SIGTERM. */
const startedAt = performance.now();
const options = readStartOptions(process.argv.slice(2), process.env);
const apiUrl = `http://127.0.0.1:${options.port}`;
const stops: (() => Promise<void> | void)[] = [];
const interrupted = new AbortController();
let stopping: Promise<void> | undefined;

function say(line: string): void {
  console.log(`[${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s] ${line}`);
}

/** Stops what was started, the last first. */
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
    console.error(`\nnpm start: ${error instanceof Error ? error.message : String(error)}`);
    await stopAll();
    process.exit(1);
  }
}

async function start(): Promise<void> {
  let state: StackState = { pid: process.pid, phase: 'starting', apiUrl, healthUrls: {}, appPids: {} };
  const running = claimStack(state);
  if (running !== undefined) {
    console.error(
      `a stack started from this folder runs already (process ${running.pid}, ${running.apiUrl}); stop it with Ctrl-C or: kill ${running.pid}`,
    );
    process.exit(1);
  }
  stops.push(releaseStack);
  await requireFreePort(options.port);
  const secrets = loadStackSecrets();
  const servers = await startServers({
    environment: process.env,
    allowInstall: options.allowInstall,
    progress: say,
    onExit: (reason) => {
      if (interrupted.signal.aborted || stopping !== undefined) return;
      console.error(`\n${reason}; stopping the stack`);
      void stopAll().then(() => process.exit(1));
    },
  });
  stops.push(() => servers.stop());
  interrupted.signal.throwIfAborted();
  await migrateAll({ databaseUrl: servers.databaseUrl, rolePasswords: secrets.rolePasswords, log: say });
  writeStackDatabaseUrl(servers.databaseUrl);
  say('database is up to date');
  await bundle();
  say('apps are built');
  interrupted.signal.throwIfAborted();

  const apps = await startApps({
    databaseUrl: servers.databaseUrl,
    natsUrl: servers.nats.url,
    secrets,
    apiPort: options.port,
    environment: process.env,
    logDirectory: LOG_DIRECTORY,
    onLine: say,
    onPids: (appPids) => {
      state = { ...state, appPids };
      writeStackState(state);
    },
  });
  stops.push(() => apps.stop());
  if (process.env.DEBUG === 'true') stops.push(await watchApps(reload, (app, message) => say(`${app}: ${message}`)));
  await apps.waitUntilHealthy(interrupted.signal);
  state = { ...state, phase: 'ready', healthUrls: apps.healthUrls };
  writeStackState(state);
  say('ready: every app is healthy');
  printSummary(apps.healthUrls, { database: servers.databaseUrl, nats: servers.nats.url });

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

function printSummary(
  healthUrls: Readonly<Record<string, string>>,
  servers: { readonly database: string; readonly nats: string },
): void {
  const workers = Object.entries(healthUrls).filter(([app]) => app !== 'api-gateway');
  console.log(
    [
      '',
      `  API         ${apiUrl}/api/v1`,
      `  API docs    ${apiUrl}/docs/api`,
      ...workers.map(([app, url]) => `  ${app.padEnd(20)}${url}`),
      `  database    ${maskUrl(servers.database)}`,
      `  broker      ${maskUrl(servers.nats)}`,
      `  logs        ${LOG_DIRECTORY}`,
      '',
      '  npm run demo   in another terminal shows it at work; Ctrl-C here stops everything',
      '',
    ].join('\n'),
  );
}
