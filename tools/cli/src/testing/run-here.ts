import { Readable } from 'node:stream';
import { createOutput } from '../output.ts';
import { buildProgram } from '../program.ts';

/** Runs one command in this process against a service, and returns its output on stdout and stderr. */
export async function runHere(
  serviceUrl: string,
  args: readonly string[],
  stdin: string | Readable = '',
  signal: AbortSignal = new AbortController().signal,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  let out = '';
  const sink = { write: (text: string) => (out += text) };
  const context = {
    env: { STEWARD_URL: serviceUrl, STEWARD_API_KEY: 'stw_an-api-key-of-a-test', ...env },
    stdin: typeof stdin === 'string' ? Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) : stdin,
    stderr: process.stderr,
    output: createOutput({ stdout: sink, stderr: sink, env: { NO_COLOR: '1' } }),
    signal,
    setExitCode: (code: number) => void (out += `exit ${code}\n`),
    leave: () => undefined,
  };
  await buildProgram(context, '1.0.0').parseAsync([...args], { from: 'user' });
  return out;
}
