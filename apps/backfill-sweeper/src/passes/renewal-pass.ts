import type { Logger } from '@steward/process';
import { reindexAccount, remaskAccount, type RemaskDeps } from '@steward/backfill';
import { listAccountIds } from '@steward/identity';
import { rotate } from './rotate.ts';
import { walkAccounts, type Pass, type PassSummary } from './walk-accounts.ts';

export interface RenewalOptions {
  readonly maxRowsPerPass: number;
  readonly maxSeconds: number;
}

export type RenewalDeps = RemaskDeps & { readonly logger: Logger };
interface PassPlace {
  /** Id of the first account that the last pass did not process; undefined: the pass begins with the first account. */
  readonly startAt: string | undefined;
  readonly signal: AbortSignal;
}

type Renewal = PassPlace & Pick<Pass, 'name' | 'work'>;

/** Maximum share of the rows of one pass that one account may use, because other accounts may be waiting. */
const SHARE_OF_AN_ACCOUNT = 0.25;

/** Makes one pass over the chunks that were masked according to older rules for credentials. */
export function remaskPass(deps: RenewalDeps, options: RenewalOptions, place: PassPlace): Promise<PassSummary> {
  const { signal } = place;
  return walkShares(deps, options, {
    ...place,
    name: 'remask',
    work: (accountId, budget, traceparent) => remaskAccount(deps, { accountId, budget, traceparent, signal }),
  });
}

/** Makes one pass over the chunks with index words of an older version. */
export function reindexPass(deps: RenewalDeps, options: RenewalOptions, place: PassPlace): Promise<PassSummary> {
  const { signal } = place;
  return walkShares(deps, options, {
    ...place,
    name: 'reindex',
    work: (accountId, budget) => reindexAccount(deps, { accountId, budget, signal }),
  });
}

async function walkShares(deps: RenewalDeps, options: RenewalOptions, renewal: Renewal): Promise<PassSummary> {
  const { startAt, ...pass } = renewal;
  const maxRowsPerAccount = Math.max(1, Math.ceil(options.maxRowsPerPass * SHARE_OF_AN_ACCOUNT));
  const accountIds = rotate(await listAccountIds(deps.db), startAt);
  return walkAccounts(deps.logger, { ...pass, accountIds, limits: { ...options, maxRowsPerAccount } });
}
