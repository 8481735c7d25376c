import { spawn } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  /** Output on both streams. */
  readonly printed: string;
  /** Output on standard output only. */
  readonly output: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Text that is written to the program's standard input. */
  readonly input?: string;
}

const WITHIN_MS = 240_000;

/** Runs a program with only these environment variables. The program is killed after a timeout. */
export async function runProgram(
  [file, ...args]: readonly [string, ...string[]],
  { input = '', ...options }: ProgramOptions,
): Promise<Ended> {
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'], timeout: WITHIN_MS });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let printed = '';
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
      if (stream === child.stdout) output += part;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, printed, output }));
  });
}
