import { parseOptions } from '../../src/options/parse-options.ts';

const HELP = `npm run bench -- lookups

Stores 40 texts as agents write them (logs with colours, stack traces, diffs, shell, JSON, Japanese, Chinese, Korean, paths,
generics, HTML, ...) and looks for 200 things that stand in them, each as somebody would type it, without quotes. Prints what
was found of each class, and every miss.`;

/** Options of the bench; prints the help and ends the process where that was asked for. */
export function readOptions(args: readonly string[]): undefined {
  return parseOptions(args, { help: HELP, options: {}, read: () => undefined });
}
