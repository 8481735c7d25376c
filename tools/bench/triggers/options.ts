import { FLAG, parseOptions } from '../../src/options/parse-options.ts';

export interface TriggerBenchOptions {
  readonly withN8n: boolean;
  readonly rounds: number;
  readonly roundSeconds: number;
  /** True to measure only the rates. */
  readonly onlyRates: boolean;
}

const HELP = `npm run bench -- triggers [options]

Measures how fast triggers are stored durably, compared with an Express route that only parses the same JSON; the time until an agent
starts; and the memory of large payloads. Exits 1 if a target is missed.

  --no-n8n   skip n8n's webhook node (installed into .local/n8n-bench on first use, 1.8 GB)`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): TriggerBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { 'no-n8n': FLAG },
    read: (values) => ({ withN8n: !values['no-n8n'], rounds: 3, roundSeconds: 4, onlyRates: false }),
  });
}
