import { readFileSync } from 'node:fs';

/** Clock ticks of Linux; the same on every platform Node runs on. */
const TICK_MS = 10;

/** Processor time a process has used so far, in milliseconds; NaN where there is no /proc or no such process. */
export function readCpuMs(pid: number): number {
  try {
    // The name in parentheses may hold blanks; the fields after it do not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}
