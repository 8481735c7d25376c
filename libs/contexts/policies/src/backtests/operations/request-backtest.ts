import { newId } from '@steward/crypto';
import { requireQuota, type AnyTransaction } from '@steward/database';
import type { PolicyDocument } from '../../document/rules/policy-document.ts';
import { findHead } from '../../versions/store/policy-version.store.ts';
import { insertBacktest, selectUnfinished } from '../store/backtest.store.ts';

export interface BacktestRequest {
  readonly accountId: string;
  /** Document that is tested; null to test the one in force. */
  readonly document: PolicyDocument | null;
  readonly since: Date;
  readonly until: Date;
  readonly limit: number;
  readonly createdBy: string | null;
}

/** Maximum number of unfinished backtests per account. */
const MAX_UNFINISHED = 5;

/**
 * Queues a backtest for the version that is currently in force, and returns the id of the backtest.
 * @throws quota_reached
 */
export async function requestBacktest(trx: AnyTransaction, request: BacktestRequest): Promise<string> {
  const { accountId } = request;
  const rows = selectUnfinished(accountId);
  await requireQuota(trx, { accountId, what: 'running backtests', limit: MAX_UNFINISHED, rows });
  const id = newId();
  await insertBacktest(trx, { ...request, id, version: await findHead(trx, accountId) });
  return id;
}
