import { parseOptions } from '../../src/options/parse-options.ts';

const HELP = `npm run bench -- lookups

Stores 40 texts as agents write them (logs with colours, stack traces, diffs, shell, JSON, Japanese, Chinese, Korean, paths,
generics, HTML, ...) and searches for 200 strings in them, each as a user would type it, without quotes. Prints the
share found in each class, and every miss.`;

/** Options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): undefined {
  return parseOptions(args, { help: HELP, options: {}, read: () => undefined });
}
