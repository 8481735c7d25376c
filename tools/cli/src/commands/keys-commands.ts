import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { addLimitOptions, runKeysLimit, runKeysList, type KeyLimitOptions } from './key-limits.ts';
import { runKeysCreate, type KeysCreateOptions } from './keys.ts';
import { addPageOptions, type PageOptions } from './pages.ts';

/** `steward keys …` */
export function addKeys(program: Command, context: CliContext): void {
  const keys = program.command('keys').description('API keys');
  const list = keys.command('list').description('keys with their limits and what is used of them, newest first');
  addPageOptions(list, 'keys').action((options: PageOptions) => runKeysList(context, options));
  const create = keys
    .command('create')
    .description(
      'create a key for an agent of the registry, for models, tools, hook, import and traces; it is printed only once',
    )
    .requiredOption(
      '--for-agent <agent>',
      'id of the agent that calls with this key act as (see "steward agents list")',
    )
    .option('--name <text>', 'name of the key (default: the name of the agent)')
    .option('--expires <time>', 'when it expires, for example 2027-01-31T00:00:00Z (default: never)');
  addLimitOptions(create).action((options: KeysCreateOptions) => runKeysCreate(context, options));
  const limit = keys
    .command('limit')
    .description('limit the calls of models with a key, all limits anew; without an option they are taken away')
    .argument('<key>', 'id of the key (see "steward keys list")')
    .option('--json', 'print the whole answer as JSON');
  addLimitOptions(limit).action((id: string, options: KeyLimitOptions & { readonly json?: boolean }) =>
    runKeysLimit(context, id, options),
  );
}
