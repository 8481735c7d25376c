import { resolve } from 'node:path';
import { findFreePort, placeDirectory } from '@steward/local-servers';
import { bundlePath } from '../build/bundle-apps.ts';
import { APPS, type AppName } from '../workspace.ts';
import { buildAppEnvironment } from './app-environment.ts';
import { LOCAL_DIRECTORY, type StackSecrets } from './stack-files.ts';
import { superviseProcess, type SupervisedProcess } from './supervised-process.ts';
import { waitHealthy } from './wait-healthy.ts';

export interface StackApps {
  readonly healthUrls: Readonly<Record<AppName, string>>;
  readonly metricsUrls: Readonly<Record<AppName, string>>;
  restart(app: AppName): void;
  /** Resolves when every app is healthy. */
  waitUntilHealthy(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface StartAppsOptions {
  readonly databaseUrl: string;
  readonly directDatabaseUrl?: string | undefined;
  readonly natsUrl: (app: AppName) => string;
  readonly secrets: StackSecrets;
  readonly apiPort: number;
  readonly environment: NodeJS.ProcessEnv;
  readonly logDirectory: string;
  readonly secretDirectory: string;
  readonly onLine: (line: string) => void;
  /** Called whenever a process id has changed. */
  readonly onPids: (pids: Readonly<Record<string, number>>) => void;
  /** Apps that are started; by default all. */
  readonly apps?: readonly AppName[];
  /** Maximum time in milliseconds until the apps are healthy. */
  readonly healthyWithinMs?: number;
}

/**
 * Folder with the work folders of executions; they are in another location if the users of agents may not enter this
 * one.
 */
export const FLOWS_DIRECTORY = resolve(LOCAL_DIRECTORY, 'flows');

const HEALTHY_WITHIN_MS = 30_000;
/** Number of exits of an app that has never been healthy after which another restart is not expected to succeed. */
const MAX_EXITS_AT_START = 3;

/** Starts the apps under supervision. */
export async function startApps({ apps = APPS, ...options }: StartAppsOptions): Promise<StackApps> {
  const pids = new Map<string, number>();
  const healthUrls = {} as Record<AppName, string>;
  const metricsUrls = {} as Record<AppName, string>;
  const processes = new Map<AppName, SupervisedProcess>();
  const workDirectory = await placeDirectory(FLOWS_DIRECTORY, findAgentUser());
  for (const app of apps) {
    const healthPort = await findFreePort();
    const port = app === 'api-gateway' ? options.apiPort : healthPort;
    healthUrls[app] = `http://127.0.0.1:${port}/api/v1/health`;
    metricsUrls[app] = `http://127.0.0.1:${healthPort}/metrics`;
    const environment = buildAppEnvironment(app, {
      ...options,
      healthPort,
      workDirectory,
      evidenceDirectory: resolve(LOCAL_DIRECTORY, 'flows-evidence'),
      inherited: options.environment,
    });
    processes.set(
      app,
      superviseProcess({
        name: app,
        file: bundlePath(app),
        environment,
        logFile: resolve(options.logDirectory, `${app}.log`),
        onLine: options.onLine,
        onPid(pid) {
          pids.set(app, pid);
          options.onPids(Object.fromEntries(pids));
        },
      }),
    );
  }
  let hasBeenHealthy = false;
  for (const process of processes.values()) process.start();
  return {
    healthUrls,
    metricsUrls,
    restart: (app) => processes.get(app)?.restart(),
    async waitUntilHealthy(signal) {
      await Promise.all(
        apps.map(async (app) => {
          const exits = (): number => processes.get(app)?.exits() ?? 0;
          const exitsBefore = hasBeenHealthy ? exits() : 0;
          try {
            await waitHealthy(healthUrls[app], {
              deadlineMs: options.healthyWithinMs ?? HEALTHY_WITHIN_MS,
              signal,
              isHopeless: () => exits() - exitsBefore >= MAX_EXITS_AT_START,
            });
          } catch (error) {
            const said = processes.get(app)?.lastError() ?? '';
            throw new Error(`${app}: ${said === '' ? String(error) : said}`, { cause: error });
          }
        }),
      );
      hasBeenHealthy = true;
    },
    async stop() {
      await Promise.all([...processes.values()].map((process) => process.stop()));
    },
  };
}

/** Returns a user without privileges, like those of agents; only root can run processes as such a user. */
function findAgentUser(): { readonly uid: number; readonly gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
}
