import { randomBytes } from 'node:crypto';
import type { AnyTransaction } from '@steward/database';
import { buildInvitationToken, hashCredential } from '../../credentials/rules/credential-text.ts';
import type { User } from '../../users/rules/user.ts';
import { upsertInvitation } from '../store/invitation.store.ts';

export interface Invitation {
  /** Token in plaintext, returned once and never stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** Invites a user to choose a password; an earlier invitation of the same user becomes invalid. */
export async function issueInvitation(
  trx: AnyTransaction,
  user: Pick<User, 'id' | 'accountId'>,
  expiresAt: Date,
): Promise<Invitation> {
  const token = buildInvitationToken(randomBytes);
  await upsertInvitation(trx, {
    userId: user.id,
    accountId: user.accountId,
    tokenHash: hashCredential(token),
    expiresAt,
  });
  return { token, expiresAt };
}
