import { setTimeout as delay } from 'node:timers/promises';
import { resolve } from 'node:path';
import { findFreePort } from '@steward/local-servers';
import { buildAppEnvironment, type AppEnvironmentFacts } from '../stack/app-environment.ts';
import { superviseProcess, type SupervisedProcess } from '../stack/supervised-process.ts';
import { waitHealthy } from '../stack/wait-healthy.ts';
import { APPS, type AppName } from '../workspace.ts';
import type { BuiltRevision } from './build-revision.ts';
import { lowerPriority, restorePriority } from './cpu-priority.ts';

interface Member {
  readonly process: SupervisedProcess;
  /** URL of the app's readiness probe. */
  readonly readyUrl: string;
  readonly origin: string;
}

export interface Fleet {
  start(revision: BuiltRevision): Promise<void>;
  /** Starts the app of a revision next to the running one, and ends the old one after `besideSeconds`. */
  replace(app: AppName, revision: BuiltRevision, besideSeconds: number): Promise<void>;
  /** Lists the addresses of the gateways that are ready, as seen by a load balancer. */
  listOrigins(): readonly string[];
  stop(): Promise<void>;
}

const PROBE_MS = 100;
const START_WITHIN_MS = 120_000;

/**
 * Returns true if an app is ready. Returns undefined if the response takes too long, since a load balancer removes a
 * slow process only after several such probes.
 */
async function askReady(url: string): Promise<boolean | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await answer.text();
    return answer.status === 200;
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? undefined : false;
  }
}

export type FleetFacts = Omit<AppEnvironmentFacts, 'apiPort' | 'healthPort'> & { readonly logDirectory: string };

/** Creates a fleet with one process of each app, and two processes while an app is replaced. */
export function createFleet(facts: FleetFacts, say: (line: string) => void): Fleet {
  const members = new Map<AppName, Member>();
  const gateways = new Set<Member>();
  const ready = new Set<string>();
  let isStopped = false;

  async function startMember(app: AppName, revision: BuiltRevision): Promise<Member> {
    const [apiPort, healthPort] = [await findFreePort(), await findFreePort()];
    const isGateway = app === 'api-gateway';
    const origin = `http://127.0.0.1:${isGateway ? apiPort : healthPort}`;
    let processId: number | undefined;
    const member = {
      origin,
      readyUrl: `${origin}${isGateway ? '/api/v1/readyz' : '/readyz'}`,
      process: superviseProcess({
        name: `${app} of ${revision.name}`,
        file: revision.bundlePath(app),
        environment: buildAppEnvironment(app, { ...facts, apiPort, healthPort }),
        logFile: resolve(facts.logDirectory, `${app}-${revision.name}.log`),
        onLine: say,
        onPid: (pid) => {
          processId = pid;
          lowerPriority(pid);
        },
      }),
    };
    member.process.start();
    members.set(app, member);
    const isHopeless = (): boolean => member.process.exits() >= 3;
    await waitHealthy(member.readyUrl, {
      deadlineMs: START_WITHIN_MS,
      signal: AbortSignal.timeout(START_WITHIN_MS),
      isHopeless,
    }).catch((error: unknown) => {
      throw new Error(`${app} of ${revision.name}: ${member.process.lastError() || String(error)}`, { cause: error });
    });
    if (processId !== undefined) restorePriority(processId);
    if (isGateway) {
      gateways.add(member);
      ready.add(origin);
    }
    return member;
  }

  async function probe(): Promise<void> {
    while (!isStopped) {
      await Promise.all(
        [...gateways].map(async ({ readyUrl, origin }) => {
          const isReady = await askReady(readyUrl);
          if (isReady === true) ready.add(origin);
          if (isReady === false) ready.delete(origin);
        }),
      );
      await delay(PROBE_MS);
    }
  }

  return {
    async start(revision) {
      await Promise.all(APPS.map((app) => startMember(app, revision)));
      void probe();
    },
    async replace(app, revision, besideSeconds) {
      const former = members.get(app);
      await startMember(app, revision);
      await delay(besideSeconds * 1000);
      await former?.process.stop();
      if (former === undefined) return;
      gateways.delete(former);
      ready.delete(former.origin);
    },
    listOrigins: () => [...ready],
    async stop() {
      isStopped = true;
      await Promise.all([...members.values()].map(({ process }) => process.stop()));
    },
  };
}
