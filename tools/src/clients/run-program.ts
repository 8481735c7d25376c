import { spawn } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  /** Both streams. */
  readonly printed: string;
}

const WITHIN_MS = 120_000;

/** Runs a program with no variables but these. It is ended when it takes too long. */
export async function runProgram(
  [file, ...args]: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ended> {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: WITHIN_MS });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, printed }));
  });
}
