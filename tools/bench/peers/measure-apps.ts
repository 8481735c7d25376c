import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { APPS } from '../../src/workspace.ts';
import type { CollectFigure } from '../collect-figures.ts';
import { startBenchProcesses, type BenchApp } from '../start-bench-processes.ts';

/** Time after which the memory used during startup has been garbage-collected. */
const IDLE_MS = 10_000;

/**
 * Measures each app as shipped, while all of them are running: the time to its first healthy response, and its memory
 * when idle.
 */
export async function measureApps(collect: CollectFigure): Promise<void> {
  const others = APPS.filter((app) => app !== 'api-gateway');
  const processes = await startBenchProcesses(others);
  const running: [string, BenchApp][] = [['api-gateway', processes.gateway]];
  try {
    for (const app of others) running.push([app, await processes.startApp(app)]);
    await delay(IDLE_MS);
    for (const [app, { pid, startMs }] of running) {
      collect({ measure: `start of ${app}: ms`, contender: 'steward', value: startMs });
      collect({ measure: `idle memory of ${app}: MB`, contender: 'steward', value: readResidentMb(pid) });
    }
  } finally {
    for (const [, app] of running.slice(1)) await app.stop();
    await processes.stop();
  }
}

function readResidentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
