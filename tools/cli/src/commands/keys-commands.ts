import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { runKeysCreate, type KeysCreateOptions } from './keys.ts';

/** `steward keys …` */
export function addKeys(program: Command, context: CliContext): void {
  const keys = program.command('keys').description('API keys');
  keys
    .command('create')
    .description(
      'make a key for an agent of the registry, for every door: models, tools, hook, import and traces; it is printed this once',
    )
    .requiredOption('--for-agent <agent>', 'id of the agent that calls with the key act as (see "steward agents list")')
    .option('--name <text>', 'what to call the key (default: the name of the agent)')
    .option('--expires <time>', 'when it ends, for example 2027-01-31T00:00:00Z (default: never)')
    .action((options: KeysCreateOptions) => runKeysCreate(context, options));
}
