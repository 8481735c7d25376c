import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface StackProcess {
  readonly name: string;
  readonly pid: number;
  /**
   * Part of the process's command line; it is checked because process ids are reused, and an unrelated process must not
   * be ended.
   */
  readonly command: string;
}

const GRACE_MS = 20_000;
const POLL_MS = 50;

/**
 * Ends what remains of a killed stack: its apps occupy the port, its Postgres the data folder. Returns the names of the
 * processes. Without `/proc`, an unrelated process cannot be distinguished, so none is ended.
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
    // The file is empty for a process that has ended but has not been waited for.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(command);
  } catch {
    return false;
  }
}

function signal({ pid, name }: StackProcess, kind: 'SIGTERM' | 'SIGKILL'): void {
  try {
    // On SIGTERM, Postgres waits until the last client has disconnected; on SIGINT, it ends its sessions.
    process.kill(pid, kind === 'SIGTERM' && name === 'postgres' ? 'SIGINT' : kind);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
