import type { AnyTransaction } from '@steward/database';
import { redactEvents } from '@steward/webhooks';
import { APPROVAL_STATUSES } from '../approval-request.ts';
import { chatMessageId, createdEventId, decidedEventId, mailId } from '../rules/message-ids.ts';
import * as store from '../store/forgotten-request.store.ts';

/** Number of requests per transaction; transactions stay short, since the number of messages per request is limited. */
const REQUESTS_PER_STEP = 50;
const REASON = 'The session was deleted.';

/**
 * Removes everything that came from a deleted session (such as arguments, reasons, comments, and stored calls) from a
 * batch of its requests, and removes the content of their messages. The record of who was asked, who decided and when
 * is retained (APR-18). @returns the number of requests, and whether none are left
 */
export async function forgetRequestsOfSession(
  trx: AnyTransaction,
  session: store.SessionOfRequests,
): Promise<{ readonly rows: number; readonly isDone: boolean }> {
  const requestIds = await store.lockRequestsOfSession(trx, session, REQUESTS_PER_STEP);
  if (requestIds.length === 0) return { rows: 0, isDone: true };
  const mailed = await store.listMailed(trx, requestIds);
  const ids = [
    ...requestIds.flatMap((id) => [
      createdEventId(id),
      decidedEventId(id),
      ...APPROVAL_STATUSES.map((status) => chatMessageId(id, status)),
    ]),
    ...mailed.map(({ requestId, userId }) => mailId(requestId, userId)),
  ];
  await redactEvents(trx, { accountId: session.accountId, ids, reason: REASON });
  await store.clearRequests(trx, requestIds, { truncated: true, reason: REASON });
  return { rows: requestIds.length, isDone: requestIds.length < REQUESTS_PER_STEP };
}
