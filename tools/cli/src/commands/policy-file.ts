import { readFile } from 'node:fs/promises';
import { describeRefusal, type Answer } from '../api/answer.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT, refuse } from '../exit-codes.ts';
import { cleanText, type Output } from '../output.ts';
import { readAll } from '../read-input.ts';

/** Policy document to send. */
export interface PolicyFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Prints errors and warnings from a response as `file:line:column: error: …`, which editors support. */
  readonly print: (output: Output, lists: Readonly<Record<string, unknown>>) => void;
}

interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Reads a file, or standard input.
 * @throws refused if there is no such file
 */
export async function readPolicyFile(context: CliContext, path = '-'): Promise<PolicyFile> {
  const isInput = path === '-';
  if (isInput && context.stdin.isTTY === true) throw refuse('Give a file, or send the document to standard input.');
  const bytes = isInput ? await readAll(context) : await readNamed(path);
  const name = isInput ? 'stdin' : path;
  return {
    bytes: new Uint8Array(bytes),
    print: (output, lists) => {
      for (const [list, word] of [
        ['errors', 'error'],
        ['warnings', 'warning'],
      ] as const) {
        for (const { line, column, message } of (lists[list] ?? []) as readonly Problem[])
          output.line(cleanText(`${name}:${line}:${column}: ${word}: ${message}`));
      }
    },
  };
}

async function readNamed(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new CliError(EXIT.refused, `${path} cannot be read (${code}).`, { cause });
  }
}

/**
 * Prints the errors of a refused document with their positions.
 * @throws CliError refused, or failed if it is not valid
 */
export function failUnlessDone({ output }: CliContext, answer: Answer, file: PolicyFile | undefined): void {
  if (answer.status < 300) return;
  const detail = (answer.body.detail ?? {}) as Readonly<Record<string, unknown>>;
  if (detail.code === 'invalid_policy' && file !== undefined) {
    file.print(output, detail);
    throw new CliError(EXIT.failed, 'The policy is not valid.');
  }
  throw new CliError(answer.status >= 500 ? EXIT.timedOut : EXIT.refused, describeRefusal(answer));
}
