import { transact, type AnyTransaction } from '@steward/database';
import type { AuditRecord } from '@steward/http';
import { recordAudit } from '@steward/audit';
import type { User } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { presentUser } from '../users/user-schemas.ts';

/**
 * Returns the account and the actor for the audit row of an action that is performed without a credential; the actor is
 * the user whom the action concerns.
 */
export function byThemselves({ accountId, id }: Pick<User, 'accountId' | 'id'>) {
  return { accountId, actor: { kind: 'user', id } } as const;
}

/** Stores the user that a person creates or completes for themselves, and the audit row, in one transaction. */
export async function saveOwnUser(
  deps: Pick<IdentityDeps, 'db' | 'broker'>,
  save: (trx: AnyTransaction) => Promise<User>,
  record: (user: User) => AuditRecord,
) {
  const user = await transact(deps, async (trx) => {
    const saved = await save(trx);
    await recordAudit(trx, record(saved));
    return saved;
  });
  return presentUser(user);
}
