/** Maximum number of passes that a failing account skips: 16 hours at the default interval. */
const MOST_PASSES = 64;

/** Failing accounts skip 1, 2, 4, ... passes, so that they neither fill the log nor delay the others. */
export interface Backoff {
  /** Returns the accounts to process in this pass; must be called once per pass. */
  admit(accountIds: readonly string[]): string[];
  succeed(accountId: string): void;
  fail(accountId: string): void;
}

/** Creates the backoff, whose state is kept in memory: after a restart no account is skipped. */
export function createBackoff(): Backoff {
  const failing = new Map<string, { readonly failures: number; readonly passesLeft: number }>();
  return {
    admit(accountIds) {
      const present = new Set(accountIds);
      for (const [id, { failures, passesLeft }] of failing)
        if (!present.has(id)) failing.delete(id);
        else failing.set(id, { failures, passesLeft: passesLeft - 1 });
      return accountIds.filter((id) => (failing.get(id)?.passesLeft ?? -1) < 0);
    },
    succeed(accountId) {
      failing.delete(accountId);
    },
    fail(accountId) {
      const failures = (failing.get(accountId)?.failures ?? 0) + 1;
      failing.set(accountId, { failures, passesLeft: Math.min(MOST_PASSES, 2 ** (failures - 1)) });
    },
  };
}
