import { Argument, Option, type Command } from 'commander';
import { ENROLLABLE, type Enrollable } from '../agents/agent-kinds.ts';
import type { CliContext } from '../cli-context.ts';
import {
  runAgentsList,
  runAgentsMerge,
  runAgentsMove,
  runAgentsRetire,
  runAgentsShow,
  type AgentsListOptions,
} from './agent-registry.ts';
import { runAgentsDiscover } from './agents-discover.ts';
import {
  runAgentsEnroll,
  runAgentsRestore,
  runAgentsValidate,
  type EnrollOptions,
  type RestoreOptions,
} from './agents.ts';
import { addPageOptions } from './pages.ts';

/** `steward agents …` */
export function addAgents(program: Command, context: CliContext): void {
  const agents = program
    .command('agents')
    .description('the coding agents of this machine, and the registry of the account');
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
    .option('--agent-id <id>', 'the agent of the registry it is: the enrollment is recorded there')
    .option(
      '--managed [file]',
      'the hook alone, in the settings that people of this machine cannot change (needs root; the file of the machine unless given)',
    )
    .option('--dry-run', 'only print what the file would say')
    .action((name: Enrollable, options: EnrollOptions) => runAgentsEnroll(context, name, options));
  agents
    .command('validate')
    .description('make calls with the key of an enrolled agent, and tell the registry whether they came through')
    .addArgument(agent())
    .action((name: Enrollable) => runAgentsValidate(context, name));
  agents
    .command('restore')
    .description('put the configuration of an agent back, byte for byte')
    .addArgument(agent())
    .option('--force', 'also when the file was changed since: those changes are lost')
    .option('--managed', 'its managed settings')
    .option('--dry-run', 'only say what would be done')
    .action((name: Enrollable, options: RestoreOptions) => runAgentsRestore(context, name, options));
  addRegistry(agents, context);
}

const ID = 'id of the agent';

function addRegistry(agents: Command, context: CliContext): void {
  const list = agents
    .command('list')
    .description('agents of the account, newest first')
    .addOption(new Option('--state <state>', 'only those').choices(['active', 'suspended', 'retired']))
    .option('--kind <kind>', 'only those of this kind, claude_code for example');
  addPageOptions(list, 'agents').action((options: AgentsListOptions) => runAgentsList(context, options));
  agents
    .command('show')
    .description('all that is known of an agent, as JSON')
    .argument('<agent>', ID)
    .action((id: string) => runAgentsShow(context, id));
  for (const [name, state, description] of [
    ['suspend', 'suspended', 'refuse its keys from the next request on'],
    ['resume', 'active', 'let its keys act again'],
  ] as const) {
    agents
      .command(name)
      .description(description)
      .argument('<agent>', ID)
      .option('--reason <text>', 'for the people who ask why')
      .action((id: string, options: { reason?: string }) => runAgentsMove(context, id, state, options));
  }
  agents
    .command('retire')
    .description('revoke its keys for good; its history stays')
    .argument('<agent>', ID)
    .action((id: string) => runAgentsRetire(context, id));
  agents
    .command('merge')
    .description('make a duplicate this agent: keys, enrollments, pending notes')
    .argument('<agent>', ID)
    .argument('<duplicate>', 'id of the agent that turned out to be it')
    .action((id: string, duplicate: string) => runAgentsMerge(context, id, duplicate));
}
