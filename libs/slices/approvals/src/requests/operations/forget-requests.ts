import type { AnyTransaction } from '@steward/database';
import { redactEvents } from '@steward/slice-webhooks';
import { APPROVAL_STATUSES } from '../approval-request.ts';
import { chatMessageId, createdEventId, decidedEventId, mailId } from '../rules/message-ids.ts';
import * as store from '../store/forgotten-request.store.ts';

/** So few that a commit is short: each has a handful of messages. */
const REQUESTS_PER_STEP = 50;
const REASON = 'The session was deleted.';

/**
 * Takes a batch of the requests of a deleted session its arguments, reasons and comments, and the messages about them theirs:
 * that somebody was asked, who decided and when, stays (APR-18). @returns how many requests, and whether there are no more
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
