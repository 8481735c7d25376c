import { FLAG, parseOptions } from '../../src/options/parse-options.ts';

export interface RelevanceBenchOptions {
  /** A directory in the form of Cranfield. */
  readonly collection?: string | undefined;
  readonly grid: boolean;
}

const HELP = `npm run bench -- relevance [--collection DIRECTORY] [--grid]

How good the search by words, by meaning and by both is, on our own judged sessions of agents and, with --collection, on a
collection in the form of Cranfield (cran.all.1400, cran.qry, cranqrel; not shipped, its licence is not stated). Vectors are
those of "npm run embedding-server"; the first run waits minutes for them, later ones find them in .local/relevance.

  --grid   hybrid with other constants and weights, each measured on every query`;

/** Options of the bench; prints the help and ends the process where that was asked for. */
export function readOptions(args: readonly string[]): RelevanceBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { collection: { type: 'string' }, grid: FLAG },
    read: ({ collection, grid }) => ({ collection, grid }),
  });
}
