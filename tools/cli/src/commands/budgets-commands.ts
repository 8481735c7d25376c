import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';
import { runBudgetsList, runBudgetsSet, type BudgetsSetOptions } from './budgets.ts';
import { addPageOptions, type PageOptions } from './pages.ts';

const PERIODS = ['hourly', 'daily', 'weekly', 'monthly', 'yearly', 'all_time'];

/** `steward budgets …` */
export function addBudgets(program: Command, context: CliContext): void {
  const budgets = program.command('budgets').description('limits on what models cost');
  const list = budgets.command('list').description('budgets with what is spent of them, newest first');
  addPageOptions(list, 'budgets').action((options: PageOptions) => runBudgetsList(context, options));
  budgets
    .command('set')
    .description('limit what is spent, or change the limit there is; what is left out of the terms stays')
    .argument('<usd>', 'US dollars, above 0', readAmount)
    .addOption(new Option('--period <period>', 'after which it begins anew').choices(PERIODS).default('monthly'))
    .addOption(new Option('--api-key-id <id>', 'of this key; of the whole account unless given').conflicts('flow'))
    .option('--flow <id>', 'of this flow')
    .option('--model <alias>', 'of this model; of all unless given')
    .option('--time-zone <name>', 'where days, weeks, months and years begin, such as Europe/Berlin; UTC unless given')
    .option('--soft', 'tell, and refuse nothing')
    .option('--no-soft', 'refuse calls that would pass the limit')
    .addOption(
      new Option(
        '--unsized-calls <what>',
        'of files, addresses, tools of the provider: hold the largest input, or refuse',
      ).choices(['hold', 'refuse']),
    )
    .option('--threshold <percent...>', 'tell at these, at most five', readThreshold)
    .option('--json', 'print the whole answer as JSON')
    .action((amount: number, options: BudgetsSetOptions) => runBudgetsSet(context, amount, options));
}

function readAmount(text: string): number {
  if (!/^\d+(\.\d{1,6})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('It has to be an amount above 0, with six decimals at most.');
  }
  return Number(text);
}

function readThreshold(text: string, before: readonly number[] = []): number[] {
  return [...before, readInteger(1, 100)(text)];
}
