import { isUuid } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { isOnlyAccount } from '@steward/identity';

/** @throws for an entry of OPERATOR_ACCOUNTS that is not an account id */
export function requireAccountId(entry: string): void {
  if (!isUuid(entry)) throw new Error(`"${entry}" is not the id of an account`);
}

interface Deps {
  readonly db: AnyDatabase;
  readonly settings: { readonly operatorAccounts: readonly string[] };
}

/**
 * Returns whether users of the account operate this deployment. If the setting is empty, they do so only if the
 * deployment has a single account: one of several accounts must not see the figures of the others.
 */
export function isOperatorAccount({ db, settings }: Deps, accountId: string): Promise<boolean> {
  const { operatorAccounts } = settings;
  if (operatorAccounts.length === 0) return isOnlyAccount(db, accountId);
  return Promise.resolve(operatorAccounts.some((id) => id.toLowerCase() === accountId));
}
