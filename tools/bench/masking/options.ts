import { parseOptions } from '../../src/options/parse-options.ts';

const HELP = `npm run bench -- masking

Throughput on ordinary text, what is found of the table of shapes, and what is hidden of ordinary lines. No server.`;

/** Options of the bench; prints the help and ends the process where that was asked for. */
export function readOptions(args: readonly string[]): undefined {
  return parseOptions(args, { help: HELP, options: {}, read: () => undefined });
}
