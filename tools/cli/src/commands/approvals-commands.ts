import { Option, type Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import {
  runApprovalsDecide,
  runApprovalsList,
  runApprovalsShow,
  runApprovalsWatch,
  type ApprovalsListOptions,
} from './approvals.ts';
import { addPageOptions } from './pages.ts';

const STATUSES = ['pending', 'approved', 'declined', 'expired', 'cancelled'];

/** Adds `steward approvals …`. */
export function addApprovals(program: Command, context: CliContext): void {
  const approvals = program
    .command('approvals')
    .description('manage approval requests: calls that wait for a person’s decision');
  const list = approvals
    .command('list')
    .description('list requests, newest first')
    .addOption(new Option('--status <status>', 'only requests with this status').choices(STATUSES))
    .option('--mine', 'only pending requests that you may decide and have not voted on');
  addPageOptions(list, 'requests').action((options: ApprovalsListOptions) => runApprovalsList(context, options));
  approvals
    .command('show')
    .description('show a request with the arguments of the call')
    .argument('<request>', 'id of the request')
    .option('--json', 'print the whole response as JSON')
    .action((id: string, options: { json?: boolean }) => runApprovalsShow(context, id, options));
  for (const decision of ['approve', 'decline'] as const) {
    approvals
      .command(decision)
      .description(
        `${decision} a request; the comment is visible to the caller, and to the webhooks and chat channels that receive the decision`,
      )
      .argument('<request>', 'id of the request')
      .option('--comment <text>', 'reason for the decision')
      .action((id: string, options: { comment?: string }) => runApprovalsDecide(context, id, decision, options));
  }
  approvals
    .command('watch')
    .description('print pending requests, then new requests and outcomes as they occur, until Ctrl-C')
    .option('--mine', 'only requests that you may decide and have not voted on')
    .option('--json', 'print one JSON document per line')
    .action((options: { mine?: boolean; json?: boolean }) => runApprovalsWatch(context, options));
}
