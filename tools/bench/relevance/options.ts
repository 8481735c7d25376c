import { FLAG, parseOptions } from '../../src/options/parse-options.ts';

export interface RelevanceBenchOptions {
  /** Directory of a collection in the Cranfield format. */
  readonly collection?: string | undefined;
  readonly grid: boolean;
}

const HELP = `npm run bench -- relevance [--collection DIRECTORY] [--grid]

Measures the relevance of keyword, semantic and hybrid search on a judged set of agent sessions and, with --collection, on a
collection in the format of Cranfield (cran.all.1400, cran.qry, cranqrel; not shipped, since its licence is not stated). Vectors come
from "npm run embedding-server"; the first run computes them in minutes, later runs read them from .local/relevance.

  --grid   measure hybrid search with other constants and weights on every query`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): RelevanceBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { collection: { type: 'string' }, grid: FLAG },
    read: ({ collection, grid }) => ({ collection, grid }),
  });
}
