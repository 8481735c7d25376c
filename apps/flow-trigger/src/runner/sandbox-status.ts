import { constants } from 'node:os';
import type { RunnerExit } from './runner.ts';

/** Converts the status that the sandbox reported on its separate descriptor to the exit status of the program. */
export function readSandboxStatus(told: string, program: string): RunnerExit | { kind: 'no_sandbox'; reason: string } {
  const lines = told.split('\n').filter((line) => line !== '');
  if (lines.includes('missing')) return { kind: 'not_started', reason: `the program "${program}" does not exist` };
  if (!lines.includes('ready')) return { kind: 'no_sandbox', reason: lines.join('; ') };
  const code = Number(/^exit (\d+)$/.exec(lines.at(-1) ?? '')?.[1] ?? Number.NaN);
  // If there is no status, the process that reports it was killed together with the program.
  if (Number.isNaN(code)) return { kind: 'killed', signal: 'SIGKILL' };
  const signal = findSignal(code - 128);
  return signal === undefined ? { kind: 'exited', code } : { kind: 'killed', signal };
}

/** Returns the name of the signal with this number; a shell reports a signal as 128 plus its number. */
function findSignal(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
