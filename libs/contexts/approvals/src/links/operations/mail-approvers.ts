import { randomBytes } from 'node:crypto';
import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { listDeciders, type Decider } from '@steward/identity';
import { queueMail, type EmitOptions } from '@steward/webhooks';
import type { ApprovalRequest } from '../../requests/approval-request.ts';
import { mailId } from '../../requests/rules/message-ids.ts';
import type { ApprovalWorkflow } from '../../workflows/approval-workflow.ts';
import type { MailOptions } from '../mail-options.ts';
import { writeApprovalMail } from '../rules/approval-mail.ts';
import { hashLinkToken } from '../rules/link-token.ts';
import { insertLink } from '../store/approval-link.store.ts';

/**
 * Maximum number of approvers, and of escalation users, who get an email about a request; the others find the request
 * in their list.
 */
const MAX_RECIPIENTS = 50;
const TOKEN_BYTES = 32;

/**
 * Sends emails about a request to its approvers or, if it is being escalated, to the escalation users. Each email
 * contains a personal link; a person who already has a link for the request gets no further email.
 */
export async function mailApprovers(
  trx: AnyTransaction,
  hints: HintSink,
  asked: { readonly request: ApprovalRequest; readonly workflow: ApprovalWorkflow; readonly isEscalation: boolean },
  options: EmitOptions & { readonly mail: MailOptions },
): Promise<void> {
  const { request, workflow, isEscalation } = asked;
  const { from, linkBase, secretBox } = options.mail;
  if (from === undefined || workflow.email === false) return;
  for (const decider of await listRecipients(trx, asked)) {
    // Only the email to this person contains the token; the database stores its hash.
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    if (!(await insertLink(trx, { hash: hashLinkToken(token), requestId: request.id, userId: decider.userId })))
      continue;
    const decisionUrl = `${linkBase}${token}`;
    const mail = writeApprovalMail(request, { from, to: decider.email, decisionUrl, isEscalation });
    const id = mailId(request.id, decider.userId);
    const queued = { accountId: request.accountId, id, now: request.requestedAt, mail };
    await queueMail(trx, hints, queued, secretBox, options);
  }
}

async function listRecipients(
  trx: AnyTransaction,
  { request, workflow, isEscalation }: Parameters<typeof mailApprovers>[2],
): Promise<Decider[]> {
  const { approverUserIds: userIds, approverRoles: roles, escalationUserIds, allowSelfApproval } = workflow;
  const isForAll = userIds.length === 0 && roles.length === 0;
  const wanted = isEscalation ? { userIds: escalationUserIds, roles: [] } : isForAll ? undefined : { userIds, roles };
  const deciders = await listDeciders(trx, { accountId: request.accountId, wanted, limit: MAX_RECIPIENTS });
  return deciders.filter(({ userId }) => allowSelfApproval || userId !== request.requesterUserId);
}
