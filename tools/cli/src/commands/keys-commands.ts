import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { addLimitOptions, runKeysLimit, runKeysList, type KeyLimitOptions } from './key-limits.ts';
import { runKeysCreate, type KeysCreateOptions } from './keys.ts';
import { addPageOptions, type PageOptions } from './pages.ts';

/** Adds `steward keys …`. */
export function addKeys(program: Command, context: CliContext): void {
  const keys = program.command('keys').description('manage API keys');
  const list = keys.command('list').description('list keys with their limits and usage, newest first');
  addPageOptions(list, 'keys').action((options: PageOptions) => runKeysList(context, options));
  const create = keys
    .command('create')
    .description(
      'create a key that an agent of the registry uses for models, tools, the hook, imports and traces; the key is printed only once',
    )
    .requiredOption(
      '--for-agent <agent>',
      'agent on whose behalf calls with this key are made (see "steward agents list")',
    )
    .option('--name <text>', 'name of the key (default: the name of the agent)')
    .option('--expires <time>', 'expiry, for example 2027-01-31T00:00:00Z (default: never)');
  addLimitOptions(create).action((options: KeysCreateOptions) => runKeysCreate(context, options));
  const limit = keys
    .command('limit')
    .description('replace the model limits of a key; without options, remove them')
    .argument('<key>', 'id of the key (see "steward keys list")')
    .option('--json', 'print the whole response as JSON');
  addLimitOptions(limit).action((id: string, options: KeyLimitOptions & { readonly json?: boolean }) =>
    runKeysLimit(context, id, options),
  );
}
