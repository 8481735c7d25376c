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

/** Adds `steward agents …`. */
export function addAgents(program: Command, context: CliContext): void {
  const agents = program
    .command('agents')
    .description('manage the coding agents of this machine and the agents of the account');
  const agent = (): Argument => new Argument('<agent>', 'coding agent').choices(ENROLLABLE);
  agents
    .command('discover')
    .description(
      'find the agents on this machine and print the report that --report would send; no agent is run (docs/use/discovery.md)',
    )
    .option(
      '--report',
      'send the report: hashes, the operating system and, for each agent, kind, version, number of tool servers, and whether it is enrolled',
    )
    .action((options: { report?: boolean }) => runAgentsDiscover(context, options));
  agents
    .command('enroll')
    .description(
      'set up an agent to use the service: its hook and its tools, as far as its configuration file supports them, and, with --model, its models',
    )
    .addArgument(agent())
    .option('--model <alias>', 'send the model calls of the agent through the gateway, to this model')
    .option('--agent-id <id>', 'id of the agent in the registry; the enrollment is recorded there')
    .option(
      '--managed [file]',
      'set up only the hook, in the managed settings, which users of this machine cannot change; needs root (default: the standard file for managed settings of the agent)',
    )
    .option('--dry-run', 'only print the new content of the configuration file')
    .action((name: Enrollable, options: EnrollOptions) => runAgentsEnroll(context, name, options));
  agents
    .command('validate')
    .description(
      'make calls with the key of an enrolled agent, check its hook if it has one, and report the result to the registry',
    )
    .addArgument(agent())
    .action((name: Enrollable) => runAgentsValidate(context, name));
  agents
    .command('restore')
    .description('restore the original configuration of an agent, byte for byte')
    .addArgument(agent())
    .option('--force', 'restore the file even if it has been changed since the enrollment, and discard these changes')
    .option('--managed', 'restore the managed settings of the agent')
    .option('--dry-run', 'only print what would be done')
    .action((name: Enrollable, options: RestoreOptions) => runAgentsRestore(context, name, options));
  addRegistry(agents, context);
}

const ID = 'id of the agent';

function addRegistry(agents: Command, context: CliContext): void {
  const list = agents
    .command('list')
    .description('list agents of the account, newest first')
    .addOption(new Option('--state <state>', 'only agents in this state').choices(['active', 'suspended', 'retired']))
    .option('--kind <kind>', 'only agents of this kind, for example claude_code');
  addPageOptions(list, 'agents').action((options: AgentsListOptions) => runAgentsList(context, options));
  agents
    .command('show')
    .description('show an agent as JSON')
    .argument('<agent>', ID)
    .action((id: string) => runAgentsShow(context, id));
  for (const [name, state, description] of [
    ['suspend', 'suspended', 'suspend an agent: its keys are refused from the next request on'],
    ['resume', 'active', 'resume a suspended agent: its keys work again'],
  ] as const) {
    agents
      .command(name)
      .description(description)
      .argument('<agent>', ID)
      .option('--reason <text>', 'reason, shown with the state of the agent')
      .action((id: string, options: { reason?: string }) => runAgentsMove(context, id, state, options));
  }
  agents
    .command('retire')
    .description('retire an agent: its keys are revoked, its history is retained')
    .argument('<agent>', ID)
    .action((id: string) => runAgentsRetire(context, id));
  agents
    .command('merge')
    .description(
      'merge a duplicate into this agent: move the keys, enrollments, pending notes and budgets of the duplicate, then retire it',
    )
    .argument('<agent>', ID)
    .argument('<duplicate>', 'id of the duplicate')
    .action((id: string, duplicate: string) => runAgentsMerge(context, id, duplicate));
}
