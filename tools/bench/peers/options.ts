import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';

export const AREAS = ['models', 'deliveries', 'triggers', 'search', 'apps'] as const;
export type Area = (typeof AREAS)[number];

export interface PeerBenchOptions {
  readonly areas: readonly Area[];
  /** Shorter measurements of less data: proves that it works, and nothing else. */
  readonly isShort: boolean;
  readonly withPortkey: boolean;
  readonly withN8n: boolean;
}

const HELP = `npm run bench -- peers [options]

Steward compared with alternatives, in one run and one table: model calls compared with Portkey's gateway and a proxy
that only passes on, webhook deliveries compared with pg-boss and graphile-worker, triggers compared with a plain Express route and n8n, searches
beside their SQL and SQLite's FTS5, and what each app takes when it is idle and until it is up. On servers of its own; about half an hour.

  --only AREAS   comma separated: ${AREAS.join(', ')} (default: all)
  --short        little data and short rounds, for a look whether it works: minutes
  --no-portkey   leave Portkey's gateway out (installed into .local/portkey-bench on first use)
  --no-n8n       leave n8n out (installed into .local/n8n-bench on first use, 1.8 GB)`;

/** Options of the bench; prints the help and ends the process where that was asked for. */
export function readOptions(args: readonly string[]): PeerBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { only: valued(AREAS.join(',')), short: FLAG, 'no-portkey': FLAG, 'no-n8n': FLAG },
    read: (values) => ({
      areas: values.only.split(',').map(readArea),
      isShort: values.short,
      withPortkey: !values['no-portkey'],
      withN8n: !values['no-n8n'],
    }),
  });
}

function readArea(text: string): Area {
  const area = AREAS.find((known) => known === text);
  if (area === undefined) throw new Error(`--only: "${text}" is none of ${AREAS.join(', ')}`);
  return area;
}
