import { parseOptions } from '../../src/options/parse-options.ts';

const HELP = `npm run bench -- masking

Measures the throughput of masking on ordinary text, the share of known credential formats that it finds, and the ordinary lines that
it masks wrongly. Needs no server.`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): undefined {
  return parseOptions(args, { help: HELP, options: {}, read: () => undefined });
}
