import { readFileSync } from 'node:fs';

/** Clock ticks of Linux; the same on every platform Node runs on. */
const TICK_MS = 10;

/** Processor time a process has used so far, in milliseconds; NaN where there is no /proc or no such process. */
export function readCpuMs(pid: number): number {
  const fields = readStat(pid);
  return fields === undefined ? Number.NaN : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The same of a process, its children and those that ended before: of a whole Postgres by the id of its first process. */
export function readTreeCpuMs(pid: number): number {
  const fields = readStat(pid);
  if (fields === undefined) return Number.NaN;
  const ended = (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  const children = listChildren(pid).map(readCpuMs);
  // One that ends between the two looks is missing for a moment.
  return readCpuMs(pid) + ended + children.reduce((sum, ms) => sum + (Number.isNaN(ms) ? 0 : ms), 0);
}

function readStat(pid: number): string[] | undefined {
  try {
    // The name in parentheses may hold blanks; the fields after it do not.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
  } catch {
    return undefined;
  }
}

function listChildren(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
