import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface StackProcess {
  readonly name: string;
  readonly pid: number;
  /** Part of its command line: process ids are reused, and a stranger must not be ended. */
  readonly command: string;
}

const GRACE_MS = 20_000;
const POLL_MS = 50;

/**
 * Ends what a killed stack left running: its apps hold the port, its Postgres the data folder. Answers the names of those.
 * Where there is no `/proc` a process cannot be told from a stranger, and none is touched.
 */
export async function endOrphans(processes: readonly StackProcess[]): Promise<string[]> {
  const orphans = processes.filter(isRunning);
  for (const orphan of orphans) signal(orphan, 'SIGTERM');
  const deadline = Date.now() + GRACE_MS;
  while (orphans.some(isRunning) && Date.now() < deadline) await delay(POLL_MS);
  for (const orphan of orphans.filter(isRunning)) signal(orphan, 'SIGKILL');
  return orphans.map(({ name }) => name);
}

function isRunning({ pid, command }: StackProcess): boolean {
  try {
    // Empty for one that ended and was not waited for.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(command);
  } catch {
    return false;
  }
}

function signal({ pid, name }: StackProcess, kind: 'SIGTERM' | 'SIGKILL'): void {
  try {
    // Postgres takes SIGTERM as "when the last client is gone"; SIGINT ends its sessions.
    process.kill(pid, kind === 'SIGTERM' && name === 'postgres' ? 'SIGINT' : kind);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
