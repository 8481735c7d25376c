import type { Logger } from '@steward/runtime';
import { listAccountIds } from '@steward/slice-gateway';
import { createPassBudget, type PassLimits } from './pass-budget.ts';
import { sweepAccount, type SweepDeps } from './sweep-account.ts';

export interface PassOptions extends PassLimits {
  /** 0: no age bound. */
  readonly maxAgeDays: number;
  /** What was stored so shortly before a walk may not be committed yet: the walk does not answer for it. */
  readonly settleSeconds: number;
}

export interface PassSummary {
  readonly rows: number;
  readonly accounts: number;
  readonly failed: number;
  /** Where the next pass begins, so that one large account cannot starve those behind it. */
  readonly nextAccountId: string | undefined;
}

/** One pass over the accounts, starting behind the one where the last pass ran out of budget. */
export async function runPass(
  deps: SweepDeps & { readonly logger: Logger },
  options: PassOptions,
  pass: { readonly startAt: string | undefined; readonly signal: AbortSignal },
): Promise<PassSummary> {
  const startedAt = performance.now();
  const elapsedSeconds = (): number => (performance.now() - startedAt) / 1000;
  const budget = createPassBudget(options, elapsedSeconds);
  const horizon =
    options.maxAgeDays === 0 ? undefined : new Date(deps.clock.now().getTime() - options.maxAgeDays * 86_400_000);
  const accountIds = rotate(await listAccountIds(deps.db), pass.startAt);
  let accounts = 0;
  let failed = 0;
  let nextAccountId: string | undefined;
  for (const accountId of accountIds) {
    if (pass.signal.aborted) break;
    const exhausted = budget.exhausted();
    if (exhausted === 'pass_rows' || exhausted === 'pass_seconds') {
      nextAccountId = accountId;
      break;
    }
    try {
      await sweepAccount(deps, {
        accountId,
        horizon,
        settleSeconds: options.settleSeconds,
        budget,
        signal: pass.signal,
      });
      accounts += 1;
    } catch (error) {
      failed += 1;
      deps.logger.warn('sweep.account_failed', { account_id: accountId, error });
    }
  }
  const summary = { rows: budget.rows, accounts, failed, nextAccountId };
  if (budget.rows > 0 || failed > 0) {
    deps.logger.info('sweep.pass_finished', {
      rows: budget.rows,
      accounts,
      accounts_failed: failed,
      duration_ms: Math.round(elapsedSeconds() * 1000),
      outcome: failed > 0 ? 'partial' : 'ok',
    });
  }
  return summary;
}

function rotate(ids: readonly string[], first: string | undefined): string[] {
  const start =
    first === undefined
      ? 0
      : Math.max(
          0,
          ids.findIndex((id) => id >= first),
        );
  return [...ids.slice(start), ...ids.slice(0, start)];
}
