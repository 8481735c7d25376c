import { Argument, Option, type Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';
import { runStats, type StatsOptions } from './stats.ts';

const NAMES = [
  ...['sessions', 'model_calls', 'spend', 'tool_calls', 'deliveries', 'delivery_latency', 'approvals'],
  ...['approval_decisions', 'executions', 'search_corpus'],
];

/** Adds `steward stats NAME`. */
export function addStats(program: Command, context: CliContext): void {
  program
    .command('stats')
    .description('show recorded activity over time, for example calls, spend, deliveries, approvals or executions')
    .addArgument(new Argument('<name>', 'series').choices(NAMES))
    .option('--since <time>', 'from this time on: 2026-05-01, 2026-05-01T12:00:00Z, 24h, 7d (default 24h)')
    .option('--until <time>', 'up to this time (default now)')
    .addOption(new Option('--step <step>', 'length of a step').choices(['minute', 'hour', 'day']))
    .option('--group-by <grouping>', 'one line for each group: model, agent, key, flow, person, endpoint, result, ...')
    .option('--time-zone <name>', 'time zone of days, such as Europe/Berlin (default: that of this machine)')
    .option('--limit <n>', 'number of groups', readInteger(1, 50), 10)
    .option('--json', 'print the whole response as JSON')
    .action((name: string, options: StatsOptions) => runStats(context, name, options));
}
