import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';
import { HOOK_AGENTS, runHook, type HookAgent, type HookOptions } from './hook.ts';

const NAMES: Readonly<Record<HookAgent, string>> = { 'claude-code': 'Claude Code', codex: 'Codex' };

/** Adds `steward hook …`: called by coding agents, not by people. */
export function addHook(program: Command, context: CliContext): void {
  const hook = program
    .command('hook')
    .description('check each tool call against the policy, as a hook of a coding agent (see docs/use/hooks.md)');
  for (const agent of HOOK_AGENTS) {
    hook
      .command(agent)
      .description(
        `act as a PreToolUse or PermissionRequest hook of ${NAMES[agent]}: read a call from standard input and print a denial if the call is not allowed`,
      )
      .option(
        '--wait <seconds>',
        'seconds to wait for approval; the timeout of the hook must exceed this time by at least 10 s',
        readInteger(0, 300),
        50,
      )
      .option('--door <name>', 'name under which the agent registered this service as a tool server', 'steward')
      .option(
        '--fail-open',
        'allow calls, with a warning, if they cannot be checked, for example because the service cannot be reached (default: deny them)',
      )
      .action((options: HookOptions) => runHook(context, agent, options));
  }
}
