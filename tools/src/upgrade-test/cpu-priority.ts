import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const { PRIORITY_LOW, PRIORITY_NORMAL } = constants.priority;

/**
 * Whether this process may raise the priority of another one again. Elsewhere than on Linux, the priority of a process
 * is not that of its threads.
 */
const canRestore = process.platform === 'linux' && process.getuid?.() === 0;

/**
 * Gives a process that is starting only the processor time that nothing else uses, until `restorePriority` is called:
 * in a cluster, a new process starts on a machine with free processors. Does nothing without the right to restore the
 * priority.
 */
export function lowerPriority(pid: number): void {
  if (canRestore) setForThreads(pid, PRIORITY_LOW);
}

/** Gives a process the normal priority again. */
export function restorePriority(pid: number): void {
  if (canRestore) setForThreads(pid, PRIORITY_NORMAL);
}

function setForThreads(pid: number, priority: number): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority);
  } catch (error) {
    // The process, or one of its threads, has ended.
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
