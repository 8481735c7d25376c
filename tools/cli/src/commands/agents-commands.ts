import { Argument, type Command } from 'commander';
import { ENROLLABLE, type Enrollable } from '../agents/agent-kinds.ts';
import type { CliContext } from '../cli-context.ts';
import { runAgentsDiscover } from './agents-discover.ts';
import { runAgentsEnroll, runAgentsRestore, type EnrollOptions, type RestoreOptions } from './agents.ts';

/** `steward agents …` */
export function addAgents(program: Command, context: CliContext): void {
  const agents = program.command('agents').description('the coding agents of this machine');
  const agent = (): Argument => new Argument('<agent>', 'which').choices(ENROLLABLE);
  agents
    .command('discover')
    .description(
      'find the agents of this machine, and print what a report would hold; nothing is run (docs/discovery.md)',
    )
    .option('--report', 'send it: hashes, kinds, versions and counts')
    .action((options: { report?: boolean }) => runAgentsDiscover(context, options));
  agents
    .command('enroll')
    .description('point the configuration of an agent at the service: hook, tools, and with --model its models')
    .addArgument(agent())
    .option('--model <alias>', 'send its calls of models through the gateway, to this model')
    .option('--dry-run', 'only print what the file would say')
    .action((name: Enrollable, options: EnrollOptions) => runAgentsEnroll(context, name, options));
  agents
    .command('restore')
    .description('put the configuration of an agent back, byte for byte')
    .addArgument(agent())
    .option('--force', 'also when the file was changed since: those changes are lost')
    .option('--dry-run', 'only say what would be done')
    .action((name: Enrollable, options: RestoreOptions) => runAgentsRestore(context, name, options));
}
