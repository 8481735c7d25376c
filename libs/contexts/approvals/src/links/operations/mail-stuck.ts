import type { HintSink } from '@steward/contracts';
import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import { listWorkflowManagers } from '@steward/identity';
import { queueMail } from '@steward/webhooks';
import type { ApprovalRequest } from '../../requests/approval-request.ts';
import type { ApprovalOptions } from '../../requests/operations/resolve-request.ts';
import { stuckMailId } from '../../requests/rules/message-ids.ts';
import { findWorkflow } from '../../workflows/store/approval-workflow.store.ts';
import { writeStuckMail } from '../rules/stuck-mail.ts';

const MAX_RECIPIENTS = 10;

/**
 * Sends emails that say that a request currently cannot be approved. The recipients are at most ten users who can
 * change the workflow of the request; each of them gets at most one such email a day per workflow, from the first
 * process that finds such a request.
 */
export async function mailStuck(
  trx: AnyTransaction,
  hints: HintSink,
  { request, reason }: { readonly request: ApprovalRequest; readonly reason: string },
  options: ApprovalOptions,
): Promise<void> {
  const { from, secretBox } = options.mail;
  const { accountId, workflowId } = request;
  const workflow = await findWorkflow(trx, { accountId, id: workflowId });
  if (from === undefined || workflow === undefined || workflow.email === false) return;
  const now = await readDatabaseTime(trx);
  const reviewUrl = options.reviewBase === null ? null : `${options.reviewBase}${request.id}`;
  for (const { userId, email: to } of await listWorkflowManagers(trx, { accountId, limit: MAX_RECIPIENTS })) {
    const mail = writeStuckMail({ from, to, workflow: workflow.name, reason, reviewUrl });
    const id = stuckMailId({ workflowId, userId, day: now.toISOString().slice(0, 10) });
    await queueMail(trx, hints, { accountId, id, now, mail }, secretBox, options);
  }
}
