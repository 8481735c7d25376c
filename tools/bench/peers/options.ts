import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';

export const AREAS = ['models', 'deliveries', 'triggers', 'search', 'apps'] as const;
export type Area = (typeof AREAS)[number];

export interface PeerBenchOptions {
  readonly areas: readonly Area[];
  /** True for shorter measurements with less data, which only prove that the bench works. */
  readonly isShort: boolean;
  readonly withPortkey: boolean;
  readonly withN8n: boolean;
}

const HELP = `npm run bench -- peers [options]

Compares Steward with alternatives in one run and one table: model calls with Portkey's gateway and a plain proxy, webhook deliveries
with pg-boss and graphile-worker, triggers with a plain Express route and n8n, searches with the same SQL and with SQLite's FTS5. Also
measures each app's memory when idle and its start time. Starts its own servers; takes about half an hour.

  --only AREAS   comma separated: ${AREAS.join(', ')} (default: all)
  --short        little data and short rounds, to check that it works (minutes)
  --no-portkey   skip Portkey's gateway (installed into .local/portkey-bench on first use)
  --no-n8n       skip n8n (installed into .local/n8n-bench on first use, 1.8 GB)`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
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
