import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { APP_ROLES } from '@steward/database';
import { readServerChoices, removeDataDirectory, startPostgres } from '@steward/local-servers';
import { bareEnvironment, eventually, startTestBroker } from '@steward/testing';
import { createLedger, type Ledger } from '../chaos/webhooks/ledger.ts';
import { startReceiver, type ChaosReceiver } from '../chaos/webhooks/start-receiver.ts';
import { createApi } from '../demo/api.ts';
import { createHook } from '../e2e/create-hook.ts';
import { registerOwner } from '../e2e/register-owner.ts';
import { makeFolders } from '../e2e/suite-folders.ts';
import { connectClient } from '../servers/connect-client.ts';
import { runWithCleanup, type Stop } from '../servers/run-with-cleanup.ts';
import { startProgress, type Say } from '../start-progress.ts';
import { APPS, type AppName } from '../workspace.ts';
import { buildRevision, findNewestRelease, type BuiltRevision } from './build-revision.ts';
import { lowerPriority } from './cpu-priority.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { readOptions, type UpgradeOptions } from './options.ts';
import { report, UPGRADE } from './report.ts';
import { createTally } from './tally.ts';
import { startTraffic } from './traffic.ts';

/** Time before a gateway ends, longer than a load balancer needs to detect that it is about to end. */
const DRAIN_SECONDS = 3;

/**
 * Order in which apps are replaced: workers first, as docs/operate/upgrade.md describes; the downgrade uses the
 * opposite order.
 */
const ORDER = APPS.toSorted((one, other) => Number(one === 'api-gateway') - Number(other === 'api-gateway'));

interface Servers {
  readonly databaseUrl: string;
  readonly operatorUrl: string;
  readonly rolePasswords: Readonly<Record<string, string>>;
  readonly natsUrl: (app: AppName) => string;
}

async function run(options: UpgradeOptions, say: Say, stops: Stop[]): Promise<void> {
  const from = buildRevision(options.from ?? findNewestRelease());
  const to = buildRevision(options.to);
  say(`${from.name} and ${to.name} are built`);
  const servers = await startServers(stops);
  await migrate(from, servers);
  const folders = makeFolders((release) => void stops.push(release));
  const fleet = createFleet(
    {
      ...folders,
      databaseUrl: servers.databaseUrl,
      natsUrl: servers.natsUrl,
      secrets: { secretKey: randomBytes(24).toString('hex'), rolePasswords: servers.rolePasswords },
      inherited: describeEnvironment(folders),
    },
    say,
  );
  stops.push(() => fleet.stop());
  await fleet.start(from);
  const ledger = createLedger();
  const receiver = await startReceiver(ledger);
  stops.push(() => receiver.close());
  const account = await createAccount(fleet, receiver);
  const tally = createTally();
  const { rate } = options;
  const traffic = startTraffic({ ...account, rate, tally, ledger, listOrigins: fleet.listOrigins });
  const inPhase = async (phase: string, work: () => Promise<void>): Promise<void> => {
    say(phase);
    tally.begin(phase);
    await work();
  };
  // The first requests compile code and open connections, so they are not representative.
  await inPhase('warming up', () => delay(Math.min(10, options.beforeSeconds) * 1000));
  await inPhase('before', () => delay(options.beforeSeconds * 1000));
  const inStep = async (step: string, work: () => Promise<void>): Promise<void> => {
    say(step);
    tally.begin(UPGRADE, step);
    await work();
  };
  await inStep('migrations', () => migrate(to, servers));
  for (const app of ORDER) await inStep(`to ${app}`, () => fleet.replace(app, to, options.besideSeconds));
  for (const app of ORDER.toReversed())
    await inStep(`back to ${app}`, () => fleet.replace(app, from, options.besideSeconds));
  await traffic.stop();
  say(`${ledger.readMissing().length} of ${ledger.countEmitted()} events are under way`);
  await waitForAll(ledger, options.drainSeconds);
  report({ tally, ledger: ledger.summarize(), refused: receiver.countRefused() });
}

async function startServers(stops: Stop[]): Promise<Servers> {
  const dataDirectory = mkdtempSync(resolve(tmpdir(), 'steward-upgrade-'));
  const postgres = await startPostgres({
    dataDirectory,
    durable: true,
    ...readServerChoices(process.env),
    progress: (line) => console.log(line),
  });
  stops.push(async () => {
    await postgres.stop();
    await removeDataDirectory(dataDirectory);
  });
  const admin = await connectClient(postgres.url);
  await admin.query('create database steward_upgrade');
  await admin.end();
  const url = new URL(postgres.url);
  url.pathname = '/steward_upgrade';
  const broker = await startTestBroker();
  stops.push(() => broker.stop());
  const passwords = Object.values(APP_ROLES).map((role) => [role, randomBytes(18).toString('base64url')] as const);
  return {
    databaseUrl: url.href,
    operatorUrl: broker.url,
    rolePasswords: Object.fromEntries(passwords),
    natsUrl: (app) => broker.urlFor(app),
  };
}

/** Applies the migrations of a revision as an operator does, in a separate process. */
async function migrate(revision: BuiltRevision, servers: Servers): Promise<void> {
  await new Promise<void>((done, fail) => {
    const child = execFile(
      process.execPath,
      [revision.bundlePath('migrate')],
      {
        env: {
          ...bareEnvironment(),
          DATABASE_URL: servers.databaseUrl,
          NATS_URL: servers.operatorUrl,
          DATABASE_ROLE_PASSWORDS: JSON.stringify(servers.rolePasswords),
        },
      },
      (error, _output, problems) =>
        error === null ? done() : fail(new Error(`the migrations failed: ${problems}`, { cause: error })),
    );
    if (child.pid !== undefined) lowerPriority(child.pid);
  });
}

function describeEnvironment({ workDirectory, evidenceDirectory }: ReturnType<typeof makeFolders>): NodeJS.ProcessEnv {
  return {
    ...bareEnvironment(),
    FLOW_WORK_DIR: workDirectory,
    EVIDENCE_DIR: evidenceDirectory,
    SHUTDOWN_DRAIN_SECONDS: String(DRAIN_SECONDS),
    // At the lowest priority, the warm-up takes longer.
    WARM_UP_SECONDS: '10',
    FLOW_STOP_GRACE_SECONDS: '20',
    ACCOUNT_RATE_PER_MINUTE: '10000000',
    FLOW_TRIGGER_RATE_PER_MINUTE: '100000',
    REGISTRATION_RATE_PER_MINUTE: '1000',
  };
}

async function createAccount(fleet: Fleet, receiver: ChaosReceiver): Promise<{ token: string; hookPath: string }> {
  const [origin = ''] = fleet.listOrigins();
  const { api, accessToken: token } = await registerOwner(createApi(origin), 'upgrade');
  const endpoint = await api.call('POST', '/api/v1/event-webhooks/endpoints', {
    body: { url: receiver.urlFor(0), event_types: ['session.ended', 'flow.execution.finished'] },
  });
  receiver.trust(0, String(endpoint.body.secret));
  const hook = await createHook(api, { name: 'upgrade', prompt: 'x', command: 'true' });
  return { token, hookPath: hook.path };
}

async function waitForAll(ledger: Ledger, seconds: number): Promise<void> {
  // Events that are missing by then are counted in the report.
  await eventually(() => ledger.readMissing().length === 0, { timeoutMs: seconds * 1000, intervalMs: 200 }).catch(
    () => undefined,
  );
}

/** Runs `npm run upgrade-test`: see `--help`. */
const options = readOptions(process.argv.slice(2));
const say = startProgress();
await runWithCleanup((stops) => run(options, say, stops));
