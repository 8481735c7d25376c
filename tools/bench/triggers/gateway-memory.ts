import { readFileSync, writeFileSync } from 'node:fs';

export interface MemoryCost {
  readonly baselineMb: number;
  readonly peakMb: number;
  readonly extraMb: number;
}

/** What `work` adds to the resident memory of a process. Linux only. */
export async function measureMemoryCost(pid: number, work: () => Promise<unknown>): Promise<MemoryCost> {
  const baselineMb = readMb(pid, 'VmRSS');
  // Resets the kernel's high-water mark: no sampling, no peak is missed.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  await work();
  const peakMb = readMb(pid, 'VmHWM');
  return { baselineMb, peakMb, extraMb: peakMb - baselineMb };
}

const TICKS_PER_SECOND = 100;

/** Processor time a process has used so far, user and system. */
export function readCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function readMb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kb = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}

/** 1 MiB of base64 over eleven files: as much as a payload may carry. */
export function buildLargestFiles(): { path: string; content_base64: string }[] {
  const perFile = 71_488;
  return Array.from({ length: 11 }, (_none, index) => ({
    path: `reports/part-${index}.bin`,
    content_base64: Buffer.alloc(perFile, index + 1).toString('base64'),
  }));
}
