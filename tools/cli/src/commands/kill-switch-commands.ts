import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { runKillSwitchStatus, runKillSwitchTurn } from './kill-switch.ts';

/** `steward kill-switch …` */
export function addKillSwitch(program: Command, context: CliContext): void {
  const killSwitch = program.command('kill-switch').description('stop all agents of the account at once');
  killSwitch
    .command('status')
    .description('whether they are stopped, since when and by whom')
    .option('--json', 'print the whole answer as JSON')
    .action((options: { json?: boolean }) => runKillSwitchStatus(context, options));
  for (const [name, engaged, description] of [
    ['engage', true, 'stop them: no model, tool, trigger or approval from now on; executions are stopped'],
    ['release', false, 'let them act again; what was stopped stays stopped'],
  ] as const) {
    killSwitch
      .command(name)
      .description(description)
      .option('--reason <text>', 'for the people who ask why')
      .option('--json', 'print the whole answer as JSON')
      .action((options: { reason?: string; json?: boolean }) => runKillSwitchTurn(context, engaged, options));
  }
}
