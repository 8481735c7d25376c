import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';
import { runSecretsSeen, type SecretsSeenOptions } from './secrets-seen.ts';

/** `steward secrets …` */
export function addSecrets(program: Command, context: CliContext): void {
  program
    .command('secrets')
    .description('credentials that agents met')
    .command('seen')
    .description('which sessions held a credential: asked for, or read from standard input; never an argument')
    .option('--limit <count>', 'places per page', readInteger(1, 200), 50)
    .option('--cursor <cursor>', 'continue after the page before')
    .option('--json', 'print the whole answer as JSON')
    .addHelpText('after', '\nExample:\n  pbpaste | steward secrets seen')
    .action((options: SecretsSeenOptions) => runSecretsSeen(context, options));
}
