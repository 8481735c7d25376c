import type { Component, Logger } from '@steward/process';

/** Time during which accounts are collected before one statement makes them due. */
const COLLECT_MS = 50;

export interface AccountNudges extends Component {
  /** Registers that this account has new chunks. Returns at once. */
  add(accountId: string): void;
}

/**
 * Creates the component that makes accounts with new chunks due. Many messages concern few accounts, so one statement
 * handles the accounts of a short period. If the statement fails, the reconciler finds the accounts.
 */
export function createAccountNudges(
  nudge: (accountIds: readonly string[]) => Promise<void>,
  logger: Pick<Logger, 'warn'>,
): AccountNudges {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function send(): Promise<void> {
    const accountIds = [...waiting];
    waiting.clear();
    try {
      if (accountIds.length > 0) await nudge(accountIds);
    } catch (error) {
      logger.warn('embedding.nudge_failed', { accounts: accountIds.length, error });
    }
  }
  function flush(): void {
    timer = undefined;
    running = running.then(send);
  }
  return {
    name: 'account nudges',
    add(accountId) {
      waiting.add(accountId);
      timer ??= setTimeout(flush, COLLECT_MS);
    },
    async stop() {
      clearTimeout(timer);
      flush();
      await running;
    },
  };
}
