import type { Logger } from '@steward/process';
import { remaskAccount, type RemaskDeps } from '@steward/slice-backfill';
import { walkAccounts, type Pass, type PassSummary } from './walk-accounts.ts';

export interface RemaskOptions {
  readonly maxRowsPerPass: number;
  readonly maxSeconds: number;
}

/** Of the rows of one pass no account takes more than a quarter, while others may wait. */
const SHARE_OF_AN_ACCOUNT = 0.25;

/** One pass over the chunks that older rules for credentials masked. */
export function remaskPass(
  deps: RemaskDeps & { readonly logger: Logger },
  options: RemaskOptions,
  { startAt, signal }: Pick<Pass, 'startAt' | 'signal'>,
): Promise<PassSummary> {
  const maxRowsPerAccount = Math.max(1, Math.ceil(options.maxRowsPerPass * SHARE_OF_AN_ACCOUNT));
  return walkAccounts(deps, {
    name: 'remask',
    limits: { ...options, maxRowsPerAccount },
    startAt,
    signal,
    work: (accountId, budget, traceparent) => remaskAccount(deps, { accountId, budget, traceparent, signal }),
  });
}
