import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';
import { runBudgetsList, runBudgetsSet, type BudgetsSetOptions } from './budgets.ts';
import { addPageOptions, type PageOptions } from './pages.ts';

const PERIODS = ['hourly', 'daily', 'weekly', 'monthly', 'yearly', 'all_time'];

/** Adds `steward budgets …`. */
export function addBudgets(program: Command, context: CliContext): void {
  const budgets = program.command('budgets').description('manage budgets for model calls');
  const list = budgets.command('list').description('list budgets with their spend, newest first');
  addPageOptions(list, 'budgets').action((options: PageOptions) => runBudgetsList(context, options));
  budgets
    .command('set')
    .description(
      'create a budget, or change the existing one with the same scope, model and period; omitted settings keep their values',
    )
    .argument('<usd>', 'limit in US dollars, above 0', readAmount)
    .addOption(
      new Option('--period <period>', 'period after which the spent amount is reset to zero (all_time: never)')
        .choices(PERIODS)
        .default('monthly'),
    )
    .addOption(new Option('--api-key-id <id>', 'budget for this key (default: the whole account)').conflicts('flow'))
    .option('--flow <id>', 'budget for this flow')
    .option('--model <alias>', 'budget for this model (default: all models)')
    .option('--time-zone <name>', 'time zone of days, weeks, months and years, such as Europe/Berlin (default: UTC)')
    .option('--soft', 'only send alerts, never refuse calls')
    .option('--no-soft', 'refuse calls that would exceed the limit')
    .addOption(
      new Option(
        '--unsized-calls <what>',
        'for calls whose cost cannot be estimated, such as those with files or URLs: reserve the cost of the largest possible input, or refuse',
      ).choices(['hold', 'refuse']),
    )
    .option('--threshold <percent...>', 'percentages at which to alert, at most five', readThreshold)
    .option('--json', 'print the whole response as JSON')
    .action((amount: number, options: BudgetsSetOptions) => runBudgetsSet(context, amount, options));
}

function readAmount(text: string): number {
  if (!/^\d+(\.\d{1,6})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('The limit must be above 0 and have at most six decimals.');
  }
  return Number(text);
}

function readThreshold(text: string, before: readonly number[] = []): number[] {
  return [...before, readInteger(1, 100)(text)];
}
