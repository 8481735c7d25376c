import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';

export interface ApprovalLink {
  readonly accountId: string;
  readonly requestId: string;
  readonly userId: string;
}

/** False: that person has a link for the request already. */
export async function insertLink(
  trx: AnyTransaction,
  link: { readonly hash: Buffer; readonly requestId: string; readonly userId: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(trx)
    .insertInto('approvals.approval_link')
    .values({ token_hash: link.hash, request_id: link.requestId, user_id: link.userId, used_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** A link that was not used, of a request that is still open. */
export async function findOpenLink(db: AnyDatabase, hash: Buffer): Promise<ApprovalLink | undefined> {
  const row = await tables(db)
    .selectFrom('approvals.approval_link as link')
    .innerJoin('approvals.approval_request as request', 'request.id', 'link.request_id')
    .select(['request.account_id', 'link.request_id', 'link.user_id'])
    .where('link.token_hash', '=', hash)
    .where('link.used_at', 'is', null)
    .where('request.status', '=', 'pending')
    .where('request.expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return row === undefined ? undefined : { accountId: row.account_id, requestId: row.request_id, userId: row.user_id };
}

/** Under the request's lock. */
export async function consumeLink(trx: AnyTransaction, hash: Buffer): Promise<void> {
  await tables(trx)
    .updateTable('approvals.approval_link')
    .set({ used_at: sql<Date>`clock_timestamp()` })
    .where('token_hash', '=', hash)
    .execute();
}
