import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';

export interface ApprovalLink {
  readonly accountId: string;
  readonly requestId: string;
  readonly userId: string;
}

/** Inserts a link. Returns false if the user already has a link for the request. */
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

/** Finds a link, and determines whether it is unused and its request is still open. */
export async function findLink(
  db: AnyDatabase,
  hash: Buffer,
): Promise<(ApprovalLink & { readonly isOpen: boolean }) | undefined> {
  const row = await tables(db)
    .selectFrom('approvals.approval_link as link')
    .innerJoin('approvals.approval_request as request', 'request.id', 'link.request_id')
    .select([
      'request.account_id',
      'link.request_id',
      'link.user_id',
      sql<boolean>`link.used_at is null and request.status = 'pending' and request.expires_at > clock_timestamp()`.as(
        'is_open',
      ),
    ])
    .where('link.token_hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { accountId: row.account_id, requestId: row.request_id, userId: row.user_id, isOpen: row.is_open };
}

/** Uses up a link. Called under the request's lock. */
export async function consumeLink(trx: AnyTransaction, hash: Buffer): Promise<void> {
  await tables(trx)
    .updateTable('approvals.approval_link')
    .set({ used_at: sql<Date>`clock_timestamp()` })
    .where('token_hash', '=', hash)
    .execute();
}
