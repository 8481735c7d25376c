import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a clock tick on Linux, the same on every platform on which Node runs. */
const TICK_MS = 10;

/**
 * Returns the CPU time that a process has used so far, in milliseconds; NaN if there is no /proc or no such process.
 */
export function readCpuMs(pid: number): number {
  const stat = readStat(pid);
  return stat === undefined ? Number.NaN : stat.cpuMs;
}

/**
 * Returns the CPU time of a process and its children, including those that have ended, such as a database server and
 * its sessions.
 */
export function readFamilyCpuMs(pid: number): number {
  const ownMs = (readStat(pid)?.cpuMs ?? Number.NaN) + (readStat(pid)?.endedChildrenMs ?? 0);
  return listChildren(pid).reduce((sum, child) => sum + (readStat(child)?.cpuMs ?? 0), ownMs);
}

function listChildren(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((candidate) => readStat(candidate)?.parentPid === pid);
}

interface ProcessStat {
  readonly parentPid: number;
  readonly cpuMs: number;
  readonly endedChildrenMs: number;
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    // The name in parentheses may contain spaces, but the fields after it do not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const readMs = (first: number): number => (Number(fields[first]) + Number(fields[first + 1])) * TICK_MS;
    return { parentPid: Number(fields[1]), cpuMs: readMs(11), endedChildrenMs: readMs(13) };
  } catch {
    return undefined;
  }
}
