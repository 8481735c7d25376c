import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { CliError, EXIT } from './exit-codes.ts';
import { createOutput } from './output.ts';
import { buildProgram } from './program.ts';

const { stdin, stdout, stderr, env } = process;
const output = createOutput({ stdout, stderr, env });
const interruption = new AbortController();

// `steward search ... | head` closes the pipe early, which is not an error. If a hook cannot write its denial, it
// reports the denial by its exit code.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' && process.argv[2] !== 'hook' ? EXIT.succeeded : EXIT.refused);
});
for (const [signal, code] of [
  ['SIGINT', EXIT.interrupted],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    // The second signal ends the process immediately.
    if (interruption.signal.aborted) process.exit(code);
    interruption.abort(new Error('interrupted'));
    process.exitCode = code;
  });
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const setExitCode = (code: number): void => {
  process.exitCode = code;
};
const LEAVE_AFTER_MS = 250;
/** Ends the process after a time to flush the output; a command without pending work ends earlier. */
const leave = (): void => void setTimeout(() => process.exit(), LEAVE_AFTER_MS).unref();
const program = buildProgram({ env, stdin, stderr, output, signal: interruption.signal, setExitCode, leave }, version);

try {
  await program.parseAsync();
} catch (error) {
  if (interruption.signal.aborted) process.exitCode ??= EXIT.interrupted;
  else if (error instanceof CommanderError) setExitCode(error.exitCode === 0 ? EXIT.succeeded : EXIT.refused);
  else if (error instanceof CliError) {
    output.note(`error: ${error.message}`);
    setExitCode(error.exitCode);
  } else {
    output.note(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    setExitCode(EXIT.refused);
  }
}
