import { parseOptions } from '../../src/options/parse-options.ts';

const HELP = `npm run bench -- console

Measures the largest contentful paint (LCP) of the search screen on a first load without a cache, and the frames of a page while a
log of 20,000 lines arrives. Exits 1 if a target is missed.`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): undefined {
  return parseOptions(args, { help: HELP, options: {}, read: () => undefined });
}
