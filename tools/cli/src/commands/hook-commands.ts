import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';
import { HOOK_AGENTS, runHook, type HookAgent, type HookOptions } from './hook.ts';

const NAMES: Readonly<Record<HookAgent, string>> = { 'claude-code': 'Claude Code', codex: 'Codex' };

/** `steward hook …`: called by coding agents, not by people. */
export function addHook(program: Command, context: CliContext): void {
  const hook = program
    .command('hook')
    .description('hooks for coding agents: ask the policy before each tool call (see docs/use/hooks.md)');
  for (const agent of HOOK_AGENTS) {
    hook
      .command(agent)
      .description(
        `a PreToolUse or PermissionRequest hook of ${NAMES[agent]}: reads the call from standard input and denies it or prints nothing`,
      )
      .option(
        '--wait <seconds>',
        'how long to wait for approval; below the timeout of the hook',
        readInteger(0, 300),
        50,
      )
      .option('--door <name>', 'name under which the agent registered this service as a tool server', 'steward')
      .option(
        '--fail-open',
        'allow calls, with a warning, when the service cannot be reached; without it they are denied',
      )
      .action((options: HookOptions) => runHook(context, agent, options));
  }
}
