import type { AnyDatabase } from '@steward/database';
import { purgeInvitations } from './invitations/store/invitation.store.ts';
import { purgeLoginFailures } from './logins/store/login-budget.store.ts';
import { purgeLogins } from './logins/store/login.store.ts';

export interface PurgedIdentity {
  readonly failures: number;
  readonly logins: number;
  readonly invitations: number;
}

/**
 * Deletes expired rows: counts of failed logins whose minute has passed (anyone can cause them with invented names),
 * logins that can no longer be refreshed, and invitations that nobody accepted. Several processes may call this
 * function at the same time.
 */
export async function purgeIdentity(db: AnyDatabase, now: Date): Promise<PurgedIdentity> {
  return {
    failures: await purgeLoginFailures(db, now),
    logins: await purgeLogins(db, now),
    invitations: await purgeInvitations(db, now),
  };
}
