import { spawn, type SpawnOptions } from 'node:child_process';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  /** Standard output and standard error combined, in the order of arrival. */
  readonly output: string;
}

/** Runs a program until it ends. The code is 127 if the program could not be started, and 1 if a signal ended it. */
export function runCommand(file: string, args: readonly string[], options: SpawnOptions = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    let stdout = '';
    let output = '';
    const child = spawn(file, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout?.on('data', (data: Buffer) => {
      stdout += data.toString('utf8');
      output += data.toString('utf8');
    });
    child.stderr?.on('data', (data: Buffer) => {
      output += data.toString('utf8');
    });
    child.once('error', (error) => resolve({ code: 127, stdout, output: `${output}${error.message}` }));
    child.once('close', (code) => resolve({ code: code ?? 1, stdout, output }));
  });
}

/**
 * Runs a program that has to succeed.
 * @throws an error with the last lines that it printed
 */
export async function requireCommand(
  file: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<string> {
  const result = await runCommand(file, args, options);
  if (result.code === 0) return result.stdout;
  const tail = result.output.trim().split('\n').slice(-15).join('\n');
  throw new Error(`${file} ${args.slice(0, 4).join(' ')} failed with code ${result.code}:\n${tail}`);
}
