import { beginTrace, readTraceId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import type { WalkBudget } from '@steward/slice-backfill';
import { listAccountIds } from '@steward/slice-identity';
import { createPassBudget, type PassLimits } from './pass-budget.ts';
import { rotate } from './rotate.ts';

export interface Pass {
  /** Begins its log events. */
  readonly name: 'sweep' | 'remask';
  readonly limits: PassLimits;
  /** Where the last pass ran out of budget. */
  readonly startAt: string | undefined;
  readonly signal: AbortSignal;
  /** Works on one account within the budget, in a trace of its own. True when nothing is left to do there. */
  work(accountId: string, budget: WalkBudget, traceparent: string): Promise<boolean>;
}

export interface PassSummary {
  readonly rows: number;
  /** Accounts with nothing left to do. */
  readonly accounts: number;
  readonly failed: number;
  /** Where the next pass begins, so that one large account cannot starve those behind it; undefined when this one came through. */
  readonly nextAccountId: string | undefined;
}

/** One pass over the accounts. An account that fails is skipped: the others have their turn. */
export async function walkAccounts(
  { db, logger }: { readonly db: AnyDatabase; readonly logger: Logger },
  pass: Pass,
): Promise<PassSummary> {
  const startedAt = performance.now();
  const elapsedSeconds = (): number => (performance.now() - startedAt) / 1000;
  const budget = createPassBudget(pass.limits, elapsedSeconds);
  let accounts = 0;
  let failed = 0;
  let nextAccountId: string | undefined;
  for (const accountId of rotate(await listAccountIds(db), pass.startAt)) {
    budget.startAccount();
    if (pass.signal.aborted || budget.exhausted() !== undefined) {
      nextAccountId = accountId;
      break;
    }
    const traceparent = beginTrace();
    try {
      if (await pass.work(accountId, budget, traceparent)) accounts += 1;
    } catch (error) {
      failed += 1;
      logger.warn(`${pass.name}.account_failed`, {
        account_id: accountId,
        trace_id: readTraceId(traceparent),
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
  return { rows: budget.rows, accounts, failed, nextAccountId };
}
