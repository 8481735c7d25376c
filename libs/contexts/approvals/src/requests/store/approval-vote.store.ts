import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';
import type { ApprovalVote } from '../approval-request.ts';

/** Inserts a vote. Returns false if the person has already voted. Called under the request's lock. */
export async function insertVote(trx: AnyTransaction, requestId: string, vote: ApprovalVote): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(trx)
    .insertInto('approvals.approval_vote')
    .values({
      request_id: requestId,
      user_id: vote.userId,
      display: vote.display,
      decision: vote.decision,
      comment: vote.comment,
      via: vote.via,
      voted_at: vote.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function countApprovals(db: AnyDatabase, requestId: string): Promise<number> {
  const row = await tables(db)
    .selectFrom('approvals.approval_vote')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('request_id', '=', requestId)
    .where('decision', '=', 'approve')
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Returns the votes on these requests, oldest first, by request id. */
export async function listVotes(
  db: AnyDatabase,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ApprovalVote[]>> {
  if (requestIds.length === 0) return new Map();
  const rows = await tables(db)
    .selectFrom('approvals.approval_vote')
    .selectAll()
    .where('request_id', 'in', [...requestIds])
    .orderBy('voted_at')
    .orderBy('user_id')
    .execute();
  const votes = rows.map((row) => ({
    requestId: row.request_id,
    vote: {
      userId: row.user_id,
      display: row.display,
      decision: row.decision,
      comment: row.comment,
      via: row.via,
      at: row.voted_at,
    },
  }));
  return new Map(
    requestIds.map((id) => [id, votes.filter(({ requestId }) => requestId === id).map(({ vote }) => vote)]),
  );
}
