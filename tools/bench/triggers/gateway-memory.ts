import { readFileSync, writeFileSync } from 'node:fs';

export interface MemoryCost {
  readonly baselineMb: number;
  readonly peakMb: number;
  readonly extraMb: number;
}

/** Measures how many MB `work` adds to the resident memory of a process. Works only on Linux. */
export async function measureMemoryCost(pid: number, work: () => Promise<unknown>): Promise<MemoryCost> {
  const baselineMb = readMb(pid, 'VmRSS');
  // This resets the kernel's high-water mark, so that no peak is missed and no sampling is needed.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  await work();
  const peakMb = readMb(pid, 'VmHWM');
  return { baselineMb, peakMb, extraMb: peakMb - baselineMb };
}

function readMb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kb = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}

/** Builds 1 MiB of base64 in eleven files, the maximum size of a payload. */
export function buildLargestFiles(): { path: string; content_base64: string }[] {
  const perFile = 71_488;
  return Array.from({ length: 11 }, (_none, index) => ({
    path: `reports/part-${index}.bin`,
    content_base64: Buffer.alloc(perFile, index + 1).toString('base64'),
  }));
}
