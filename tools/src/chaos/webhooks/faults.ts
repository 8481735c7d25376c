import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresServer } from '@steward/local-servers';
import type { TestBroker } from '@steward/testing';
import type { Random } from '../random.ts';

export interface ChaosTargets {
  /** Current process ids by name; if a name has no process, its supervisor is restarting it. */
  readonly dispatchers: readonly { readonly name: string; readPid(): number | undefined }[];
  readGatewayPid(): number | undefined;
  readonly broker: TestBroker;
  readonly postgres: PostgresServer;
  /** Time for which a dispatcher has to be frozen for its leases to expire. */
  readonly leaseSeconds: number;
  readonly say: (line: string) => void;
}

type Fault = (targets: ChaosTargets, random: Random, frozen: Set<string>) => Promise<void>;

/** Faults, keyed by their name in the report. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'kill -9 a dispatcher': async ({ dispatchers, say }, random, frozen) => {
    // The frozen process must survive, because its behavior when it resumes without its lease is tested.
    const { name, readPid } = random.pick(dispatchers.filter((dispatcher) => !frozen.has(dispatcher.name)));
    say(`kill -9 ${name}`);
    kill(readPid(), 'SIGKILL');
  },
  'kill -9 the gateway': async ({ readGatewayPid, say }) => {
    say('kill -9 the gateway');
    kill(readGatewayPid(), 'SIGKILL');
  },
  'restart NATS': async ({ broker, say }) => {
    say('restart NATS');
    await broker.restart();
  },
  'kill -9 NATS': async ({ broker, say }, random) => {
    const seconds = random.between(0.5, 4);
    say(`kill -9 NATS for ${seconds.toFixed(1)} s`);
    await broker.kill();
    await delay(seconds * 1000);
    await broker.restart();
  },
  'restart Postgres': async ({ postgres, say }) => {
    say('restart Postgres');
    await postgres.restart();
  },
  'freeze a dispatcher past its lease': async ({ dispatchers, leaseSeconds, say }, random, frozen) => {
    const { name, readPid } = random.pick(dispatchers);
    const pid = readPid();
    frozen.add(name);
    say(`SIGSTOP ${name} for ${leaseSeconds + 3} s`);
    kill(pid, 'SIGSTOP');
    await delay((leaseSeconds + 3) * 1000);
    say(`SIGCONT ${name}`);
    kill(pid, 'SIGCONT');
    frozen.delete(name);
  },
};

export const FAULT_NAMES = Object.keys(FAULTS);

const SHORTEST_PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 4;

/**
 * Injects faults until `stopping` is aborted: first each kind once in random order, then random kinds. Faults of
 * different kinds may overlap. Resolves with the count of each kind when all faults have ended.
 */
export async function injectFaults(
  targets: ChaosTargets,
  random: Random,
  stopping: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>(FAULT_NAMES.map((name) => [name, 0]));
  const running = new Map<string, Promise<void>>();
  const frozen = new Set<string>();
  const first = random.shuffle(FAULT_NAMES);
  while (!stopping.aborted) {
    await delay(random.between(SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS) * 1000, undefined, {
      signal: stopping,
    }).catch(() => undefined);
    if (stopping.aborted) break;
    const name = first.shift() ?? random.pick(FAULT_NAMES);
    // Two simultaneous faults of one server would conflict, because both affect its process.
    const key = name.replace(/^\S+( -9)? /, '');
    if (running.has(key)) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const fault = (FAULTS[name] as Fault)(targets, random, frozen).finally(() => running.delete(key));
    // If a fault cannot be injected, this is an error of the bench itself, and ends the run below.
    fault.catch(() => undefined);
    running.set(key, fault);
  }
  await Promise.all(running.values());
  return counts;
}

/** Sends a signal to a process. A process that ended by itself in the meantime is not an error. */
function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
