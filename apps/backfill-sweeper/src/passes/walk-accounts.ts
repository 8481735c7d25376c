import { beginTrace, describeTrace } from '@steward/crypto';
import type { Logger } from '@steward/process';
import type { Backoff } from './backoff.ts';
import { createPassBudget, type PassBudget, type PassLimits } from './pass-budget.ts';

export interface Pass {
  /** Prefix of the log events of the pass. */
  readonly name: 'sweep' | 'remask' | 'reindex';
  readonly limits: PassLimits;
  /** Ids of the accounts, in the order in which they are processed. */
  readonly accountIds: readonly string[];
  readonly signal: AbortSignal;
  /** Receives the outcome for each account. */
  readonly backoff?: Backoff;
  /**
   * Processes one account within the budget, in a separate trace. Returns true if nothing is left to do for the
   * account.
   */
  work(accountId: string, budget: PassBudget, traceparent: string): Promise<boolean>;
}

export interface PassSummary {
  readonly rows: number;
  /** Number of finished accounts. */
  readonly accounts: number;
  readonly failed: number;
  readonly seconds: number;
  /** Id of the first account that was not processed; undefined if all accounts were processed. */
  readonly nextAccountId: string | undefined;
}

/** Makes one pass over the accounts. An account that fails is skipped, and the others are still processed. */
export async function walkAccounts(logger: Pick<Logger, 'info' | 'warn'>, pass: Pass): Promise<PassSummary> {
  const startedAt = performance.now();
  const elapsedSeconds = (): number => (performance.now() - startedAt) / 1000;
  const budget = createPassBudget(pass.limits, elapsedSeconds);
  let accounts = 0;
  let failed = 0;
  let nextAccountId: string | undefined;
  for (const accountId of pass.accountIds) {
    budget.startAccount();
    if (pass.signal.aborted || budget.exhausted() !== undefined) {
      nextAccountId = accountId;
      break;
    }
    const traceparent = beginTrace();
    try {
      if (await pass.work(accountId, budget, traceparent)) accounts += 1;
      pass.backoff?.succeed(accountId);
    } catch (error) {
      failed += 1;
      pass.backoff?.fail(accountId);
      logger.warn(`${pass.name}.account_failed`, {
        account_id: accountId,
        ...describeTrace(traceparent),
        error,
      });
    }
  }
  if (budget.rows > 0 || failed > 0) {
    logger.info(`${pass.name}.pass_finished`, {
      rows: budget.rows,
      accounts,
      accounts_failed: failed,
      duration_ms: Math.round(elapsedSeconds() * 1000),
      outcome: failed > 0 ? 'partial' : 'ok',
    });
  }
  return { rows: budget.rows, accounts, failed, seconds: elapsedSeconds(), nextAccountId };
}
