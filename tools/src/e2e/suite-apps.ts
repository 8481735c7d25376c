import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventually, scaleLimit, type Release } from '@steward/testing';
import { startApps, type StartAppsOptions } from '../stack/start-apps.ts';
import type { AppName } from '../workspace.ts';

export interface SuiteApps {
  readonly metricsUrls: Readonly<Record<AppName, string>>;
  /** Returns the current process id of an app, which is a new one after each start. */
  readPid(app: AppName): number | undefined;
  waitUntilHealthy(timeoutMs: number): Promise<void>;
  /** Kills an app, and waits until its successor responds. */
  crash(app: AppName): Promise<void>;
}

/**
 * Time limit of the start. Five starts take seconds, but minutes on a busy machine. The start waits until they are
 * healthy, but it ends even if an app hangs.
 */
export const START_TIMEOUT_MS = scaleLimit(300_000);
const HEALTHY_WITHIN_MS = START_TIMEOUT_MS / 2;

/** Starts the apps, waits until they respond, and keeps track of their processes. */
export async function superviseApps(
  start: Omit<StartAppsOptions, 'onLine' | 'onPids' | 'healthyWithinMs'>,
  onStarted: (release: Release) => void,
): Promise<SuiteApps> {
  let pids: Readonly<Record<string, number>> = {};
  const apps = await startApps({
    ...start,
    healthyWithinMs: HEALTHY_WITHIN_MS,
    onLine: () => undefined,
    onPids: (changed) => {
      pids = changed;
    },
  });
  onStarted(async () => {
    await apps.stop();
    requireNoDenial(start.logDirectory);
  });
  await apps.waitUntilHealthy(AbortSignal.timeout(HEALTHY_WITHIN_MS));
  return {
    readPid: (app) => pids[app],
    metricsUrls: apps.metricsUrls,
    // The stack's own function is not used, because it gives up on an app that exits often, as this test causes.
    waitUntilHealthy: async (timeoutMs) => {
      for (const url of Object.values(apps.healthUrls)) await eventually(() => isHealthy(url), { timeoutMs });
    },
    async crash(app) {
      const former = pids[app];
      if (former === undefined) throw new Error(`${app} has no process`);
      process.kill(former, 'SIGKILL');
      await eventually(() => pids[app] !== former);
      await apps.waitUntilHealthy(AbortSignal.timeout(HEALTHY_WITHIN_MS));
    },
  };
}

/** Checks that the broker denied nothing, in every test, because no app may lack a permission there. */
function requireNoDenial(logDirectory: string): void {
  const denied = readdirSync(logDirectory)
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => readFileSync(resolve(logDirectory, name), 'utf8').split('\n'))
    .filter((line) => line.includes('"broker.permission_denied"'));
  if (denied.length > 0) throw new Error(`the broker denied an app what it needs:\n${denied.join('\n')}`);
}

async function isHealthy(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  return response.status === 200;
}
