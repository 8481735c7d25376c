import { parseOptions, valued } from '../../src/options/parse-options.ts';
import { readSize } from '../../src/options/read-numbers.ts';

export const PARTS = [
  'chunks',
  'content',
  'sessions',
  'deliveries',
  'executions',
  'model calls',
  'audit',
  'vectors',
  'pruning',
  'usage removal',
  'execution removal',
] as const;
export type Part = (typeof PARTS)[number];

export interface GrowthBenchOptions {
  readonly parts: ReadonlySet<Part>;
  readonly rows: number;
  readonly pruned: number;
}

const HELP = `npm run bench -- growth [options]

Loads rows of everything that grows through SQL, tells what they take on disk, how long the newest page of each list takes at a tenth
and at all of them, and what it costs to remove old rows: of the audit log seal by seal, row by row and as a partition, and usage
rows and executions in batches and as a partition. On a server of its own.

  --only PARTS    comma separated: ${PARTS.join(', ')} (default: all); vectors need chunks
  --rows N        rows of each kind (100k)
  --pruned N      rows of the audit log, usage rows and executions that are removed (1M)`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): GrowthBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { only: valued(PARTS.join(',')), rows: valued('100k'), pruned: valued('1M') },
    read: (values) => ({
      parts: new Set(values.only.split(',').map(readPart)),
      rows: readSize('rows', values.rows, 1000),
      pruned: readSize('pruned', values.pruned, 10_000),
    }),
  });
}

function readPart(text: string): Part {
  const part = PARTS.find((one) => one === text.trim());
  if (part === undefined) throw new Error(`--only takes ${PARTS.join(', ')}, not "${text}"`);
  return part;
}
