import { readdirSync, readFileSync } from 'node:fs';

/** Processes of this machine whose command line holds the mark, as the machine numbers them: agents see other numbers. */
export function findProcesses(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
}
