import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface StackProcess {
  readonly name: string;
  readonly pid: number;
  /** Part of the command line: process ids are reused, and an unrelated process must not be ended. */
  readonly command: string;
}

const GRACE_MS = 20_000;
const POLL_MS = 50;

/**
 * Ends the remains of a killed stack: its apps occupy the port, its Postgres the data folder. Returns their names.
 * Without `/proc` an unrelated process cannot be distinguished, and none is ended.
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
    // Empty for an ended process that was not waited for.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(command);
  } catch {
    return false;
  }
}

function signal({ pid, name }: StackProcess, kind: 'SIGTERM' | 'SIGKILL'): void {
  try {
    // For Postgres SIGTERM means "when the last client has disconnected"; SIGINT ends its sessions.
    process.kill(pid, kind === 'SIGTERM' && name === 'postgres' ? 'SIGINT' : kind);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
