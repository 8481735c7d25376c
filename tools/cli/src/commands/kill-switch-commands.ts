import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { runKillSwitchStatus, runKillSwitchTurn } from './kill-switch.ts';

/** Adds `steward kill-switch …`. */
export function addKillSwitch(program: Command, context: CliContext): void {
  const killSwitch = program.command('kill-switch').description('stop all agents of the account immediately');
  killSwitch
    .command('status')
    .description('show whether agents are stopped, since when and by whom')
    .option('--json', 'print the whole response as JSON')
    .action((options: { json?: boolean }) => runKillSwitchStatus(context, options));
  for (const [name, engaged, description] of [
    [
      'engage',
      true,
      'stop all agents: stop executions, cancel pending approval requests, and refuse model calls, tool calls, triggers and decisions on approval requests',
    ],
    ['release', false, 'let agents act again; stopped executions remain stopped'],
  ] as const) {
    killSwitch
      .command(name)
      .description(description)
      .option('--reason <text>', 'reason, visible to people')
      .option('--json', 'print the whole response as JSON')
      .action((options: { reason?: string; json?: boolean }) => runKillSwitchTurn(context, engaged, options));
  }
}
