import { parseOptions } from '../../src/options/parse-options.ts';

const HELP = `npm run bench -- console

When the search screen shows its largest part (LCP) on a first load, without a cache; and the frames of a page while a log of
20,000 lines comes. Exits 1 when a target is missed.`;

/** Options of the bench; prints the help and ends the process where that was asked for. */
export function readOptions(args: readonly string[]): undefined {
  return parseOptions(args, { help: HELP, options: {}, read: () => undefined });
}
