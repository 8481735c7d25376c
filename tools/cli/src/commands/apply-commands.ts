import { Option, type Command } from 'commander';
import { KINDS, type KindName } from '../apply/kinds.ts';
import type { CliContext } from '../cli-context.ts';
import { runApply, runExport, type ApplyOptions } from './apply.ts';

const HELP = `
A document has the fields kind (${KINDS.join(', ')}),
name and spec. spec is the body of the API request that creates an object of this kind, without the
name.
A file can contain several documents, separated by ---. Fields that a document omits keep their
values; a field that an earlier apply set, and that is no longer in the document, returns to its
default if it has one. \${ENV:NAME} is replaced by the value of an environment variable, which is
never printed; \${ID:flow/review} is replaced by the id of another object, \${ID:user/ada} by the
id of a user.

Exit codes: 0 if all changes were applied or there were none; 2 if a plan has changes; 1 on an error.`;

/** Adds `steward apply`, `steward plan` and `steward export`. */
export function addApply(program: Command, context: CliContext): void {
  const apply = program
    .command('apply')
    .description(
      'create and change models, tool servers, workflows, endpoints, notice channels, the policy, budgets and flows from files',
    )
    .option('--plan', 'only print what would change, as "steward plan" does');
  addFileOptions(apply)
    .option(
      '--prune',
      'delete objects that an earlier apply created and that are no longer in any document, after a confirmation',
    )
    .option('--yes', 'do not ask before something is deleted')
    .option('--secrets-file <file>', 'append the webhook secrets of new objects to this file, readable only by you')
    .addHelpText('after', HELP)
    .action((options: ApplyOptions) => runApply(context, options));
  const plan = program.command('plan').description('print what "steward apply" would change');
  addFileOptions(plan)
    .option('--prune', 'also print what "steward apply --prune" would delete')
    .addHelpText('after', HELP)
    .action((options: ApplyOptions) => runApply(context, { ...options, plan: true }));
  program
    .command('export')
    .description('print the objects of the account as documents for "steward apply", without secrets')
    .addOption(new Option('--kind <kind...>', 'only these kinds').choices(KINDS))
    .action((options: { kind?: readonly KindName[] }) => runExport(context, options));
}

function addFileOptions(command: Command): Command {
  return command
    .requiredOption('-f, --file <path...>', 'YAML or JSON file, or folder of files')
    .option('--state <file>', 'record of the last apply (default: .steward-state.json in the folder of the first file)')
    .option('--json', 'print the plan as JSON');
}
