import type { Logger } from '@steward/process';
import { remaskAccount, type RemaskDeps } from '@steward/slice-backfill';
import { listAccountIds } from '@steward/slice-identity';
import { rotate } from './rotate.ts';
import { walkAccounts, type PassSummary } from './walk-accounts.ts';

export interface RemaskOptions {
  readonly maxRowsPerPass: number;
  readonly maxSeconds: number;
}

/** Of the rows of one pass no account takes more than a quarter, while others may wait. */
const SHARE_OF_AN_ACCOUNT = 0.25;

/** One pass over the chunks that older rules for credentials masked. */
export async function remaskPass(
  deps: RemaskDeps & { readonly logger: Logger },
  options: RemaskOptions,
  /** It begins where the last one ran out of its budget. */
  { startAt, signal }: { readonly startAt: string | undefined; readonly signal: AbortSignal },
): Promise<PassSummary> {
  const maxRowsPerAccount = Math.max(1, Math.ceil(options.maxRowsPerPass * SHARE_OF_AN_ACCOUNT));
  return walkAccounts(deps.logger, {
    name: 'remask',
    limits: { ...options, maxRowsPerAccount },
    accountIds: rotate(await listAccountIds(deps.db), startAt),
    signal,
    work: (accountId, budget, traceparent) => remaskAccount(deps, { accountId, budget, traceparent, signal }),
  });
}
