import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CliContext } from './cli-context.ts';
import { refuse } from './exit-codes.ts';

/** Reads standard input until its end. */
export async function readAll({ stdin, signal }: Pick<CliContext, 'stdin' | 'signal'>): Promise<Buffer> {
  const parts: Buffer[] = [];
  signal.addEventListener('abort', () => stdin.destroy(), { once: true });
  for await (const part of stdin) parts.push(Buffer.from(part as Uint8Array));
  signal.throwIfAborted();
  return Buffer.concat(parts);
}

/**
 * Reads a line from the terminal; if `hidden`, the input is not shown.
 * @throws refused without a terminal
 */
export async function ask(context: CliContext, question: string, { hidden = false } = {}): Promise<string> {
  const { stdin, stderr, signal } = context;
  if (stdin.isTTY !== true)
    throw refuse(`${question.replace(/: $/, '')} cannot be prompted for, because there is no terminal.`);
  const silent = new Writable({ write: (_part, _encoding, done) => done() });
  // Readline redraws its own prompt over the line, so for hidden input nothing is drawn at all.
  if (hidden) stderr.write(question);
  const reader = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: true });
  // In raw mode Ctrl-C arrives as a character, not as a signal.
  reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await reader.question(hidden ? '' : question, { signal })).trim();
  } finally {
    reader.close();
    if (hidden) stderr.write('\n');
  }
}

/**
 * Reads a secret: without showing it on a terminal, otherwise from the first line of standard input, so that it never
 * appears in a process list.
 */
export async function readSecret(context: CliContext, question: string): Promise<string> {
  const typed =
    context.stdin.isTTY === true
      ? await ask(context, question, { hidden: true })
      : ((await readAll(context)).toString('utf8').split(/\r?\n/, 1)[0] ?? '');
  if (typed === '') throw refuse(`${question.replace(/: $/, '')} is empty.`);
  context.output.keepSecret(typed);
  return typed;
}
