import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';
import { runSecretsSeen, type SecretsSeenOptions } from './secrets-seen.ts';

/** Adds `steward secrets …`. */
export function addSecrets(program: Command, context: CliContext): void {
  program
    .command('secrets')
    .description('find credentials that agents have seen')
    .command('seen')
    .description(
      'list the sessions that contained a credential; the credential is prompted for or read from standard input, never taken from an argument',
    )
    .option('--limit <count>', 'number of occurrences per page', readInteger(1, 200), 50)
    .option('--cursor <cursor>', 'cursor of the next page, from the previous response')
    .option('--json', 'print the whole response as JSON')
    .addHelpText('after', '\nExample:\n  pbpaste | steward secrets seen')
    .action((options: SecretsSeenOptions) => runSecretsSeen(context, options));
}
