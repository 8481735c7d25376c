import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

export interface NewInvitation {
  readonly userId: string;
  readonly accountId: string;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** Stores an invitation. A user has only one invitation: an earlier invitation becomes invalid. */
export async function upsertInvitation(trx: AnyTransaction, invitation: NewInvitation): Promise<void> {
  const { userId, accountId, tokenHash, expiresAt } = invitation;
  await sql`
    insert into gateway.invitation (user_id, account_id, token_hash, expires_at)
    values (${userId}, ${accountId}, ${tokenHash}, ${expiresAt})
    on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at, created_at = now()
  `.execute(trx);
}

/** Returns the id of the user of an invitation that can still be accepted. */
export async function findInvitedUserId(db: AnyDatabase, tokenHash: Buffer, now: Date): Promise<string | undefined> {
  const found = await sql<{ user_id: string }>`
    select user_id from gateway.invitation where token_hash = ${tokenHash} and expires_at > ${now}
  `.execute(db);
  return found.rows[0]?.user_id;
}

/** Uses up an invitation, and returns the id of its user; of two concurrent callers, only one succeeds. */
export async function takeInvitation(trx: AnyTransaction, tokenHash: Buffer, now: Date): Promise<string | undefined> {
  const taken = await sql<{ user_id: string }>`
    delete from gateway.invitation where token_hash = ${tokenHash} and expires_at > ${now} returning user_id
  `.execute(trx);
  return taken.rows[0]?.user_id;
}

export async function deleteInvitation(trx: AnyTransaction, userId: string): Promise<void> {
  await sql`delete from gateway.invitation where user_id = ${userId}`.execute(trx);
}

/** Deletes invitations that can no longer be accepted. Returns their number. */
export async function purgeInvitations(db: AnyDatabase, now: Date): Promise<number> {
  const result = await sql`delete from gateway.invitation where expires_at < ${now}`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}
