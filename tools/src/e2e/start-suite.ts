import { resolve } from 'node:path';
import { DERIVED_KEY_VARIABLES, deriveKey } from '@steward/crypto';
import { findFreePort } from '@steward/local-servers';
import {
  bareEnvironment,
  createTestDatabase,
  readTestEnvironment,
  releaseAll,
  startTestBroker,
  type Release,
  type TestBroker,
  type TestDatabase,
} from '@steward/testing';
import { bundle } from '../build/bundle-apps.ts';
import { createApi, type Api } from '../demo/api.ts';
import { buildAppEnvironment } from '../stack/app-environment.ts';
import { APPS, type AppName } from '../workspace.ts';
import { CHEAP_PASSWORDS } from './cheap-passwords.ts';
import { superviseApps, type SuiteApps } from './suite-apps.ts';
import { makeFolders, replaceSecrets, type SuiteFolders } from './suite-folders.ts';

export interface Suite extends SuiteApps {
  readonly api: Api;
  readonly url: string;
  /** Log output of all apps. */
  readonly logDirectory: string;
  /** Folder that contains the folders of the executions. */
  readonly workDirectory: string;
  readonly database: TestDatabase;
  readonly broker: TestBroker;
  /** Secrets that the apps received in files, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Environment variables of a healthy app, for starting one manually. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the environment variables with which an app was started, for starting another replica. */
  buildEnvironment(app: AppName, healthPort: number): Record<string, string>;
  /** Replaces secrets in the app's files, keyed by variable, and restarts the app as `crash` does. */
  restartWith(app: AppName, secrets: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';

/** Existing database that has been migrated, with the passwords of its roles. */
export interface SuiteDatabase extends TestDatabase {
  /** URL of Postgres itself, if `url` is that of a pooler. */
  readonly directUrl?: string;
  readonly rolePasswords: Readonly<Record<string, string>>;
}

/**
 * Starts all five apps as processes, supervised as in `npm start`; `more` contains additional environment variables for
 * each. Uses its own servers, or given servers, which the caller ends. If the start fails, no processes or files
 * remain.
 */
export function startSuite(
  more: Readonly<Record<string, string>> = {},
  given?: SuiteDatabase,
  givenBroker?: TestBroker,
): Promise<Suite> {
  return startSome(APPS, more, { given, givenBroker });
}

/** Starts only some of the apps, which takes less time, for files in which the others would have nothing to do. */
export function startSuiteOf(apps: readonly AppName[], more: Readonly<Record<string, string>> = {}): Promise<Suite> {
  return startSome(apps, more);
}

async function startSome(
  apps: readonly AppName[],
  more: Readonly<Record<string, string>>,
  servers: Pick<Servers, 'given' | 'givenBroker'> = {},
): Promise<Suite> {
  await bundle();
  const releases: Release[] = [];
  const stop = (): Promise<void> => releaseAll(releases);
  try {
    const suite = await startOn(apps, more, { ...servers, onStarted: (release) => void releases.push(release) });
    return { ...suite, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

interface Servers {
  readonly given?: SuiteDatabase | undefined;
  readonly givenBroker?: TestBroker | undefined;
  readonly onStarted: (release: Release) => void;
}

async function startOn(
  apps: readonly AppName[],
  more: Readonly<Record<string, string>>,
  { given, givenBroker, onStarted }: Servers,
): Promise<Omit<Suite, 'stop'>> {
  const folders = makeFolders(onStarted);
  const { logDirectory, workDirectory, secretDirectory } = folders;
  const database = given ?? (await createTestDatabase());
  if (given === undefined) onStarted(() => database.drop());
  const broker = givenBroker ?? (await startTestBroker());
  if (givenBroker === undefined) onStarted(() => broker.stop());
  const { rolePasswords } = given ?? readTestEnvironment();
  const facts = {
    databaseUrl: database.url,
    directDatabaseUrl: given?.directUrl,
    natsUrl: broker.urlFor,
    secrets: { secretKey: SECRET_KEY, rolePasswords },
    secretDirectory,
    apiPort: await findFreePort(),
  };
  const inherited = buildInherited(folders, more);
  const supervised = await superviseApps({ ...facts, apps, environment: inherited, logDirectory }, onStarted);
  const url = `http://127.0.0.1:${facts.apiPort}`;
  const keys = deriveKeys();
  return {
    ...supervised,
    api: createApi(url),
    url,
    logDirectory,
    workDirectory,
    database,
    broker,
    buildEnvironment: (app, healthPort) =>
      buildAppEnvironment(app, {
        ...facts,
        healthPort,
        workDirectory,
        evidenceDirectory: folders.evidenceDirectory,
        inherited,
      }),
    secrets: {
      ...rolePasswords,
      ...keys,
      ...Object.fromEntries(APPS.map((app) => [`${app} at the broker`, new URL(broker.urlFor(app)).password])),
    },
    environment: {
      ...inherited,
      ...keys,
      NATS_URL: broker.url,
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      HEALTH_HOST: '127.0.0.1',
    },
    async restartWith(app, secrets) {
      replaceSecrets(resolve(secretDirectory, app), secrets);
      await supervised.crash(app);
    },
  };
}

/** Builds the environment variables with which every app is started. */
function buildInherited(
  { workDirectory, evidenceDirectory }: SuiteFolders,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...bareEnvironment(),
    FLOW_WORK_DIR: workDirectory,
    EVIDENCE_DIR: evidenceDirectory,
    LOG_LEVEL: 'info',
    // Every account of a run is registered from the same address.
    REGISTRATION_RATE_PER_MINUTE: '1000',
    NODE_OPTIONS: CHEAP_PASSWORDS,
    WARM_UP_SECONDS: '0',
    ...more,
  };
}

function deriveKeys(): Record<string, string> {
  const derived = Object.entries(DERIVED_KEY_VARIABLES).map(([name, use]) => [name, deriveKey(SECRET_KEY, use)]);
  return { SECRET_KEY, ...Object.fromEntries(derived) };
}
