import { readDatabaseTime, type AnyDatabase } from '@steward/database';
import { listUnindexedContent } from '@steward/sessions';
import { orderAccounts, type PassFacts } from '../rules/order-accounts.ts';
import { listWatermarks } from '../store/watermark.store.ts';

/**
 * Lists the accounts with sessions to process, in the order of their turns. Uses few statements for all accounts: an
 * account with a finished walk needs no separate one.
 *
 * @param request.restSeconds - An account that was advanced more recently is skipped: `restedSince` passes this limit
 * to the walk itself, since another process may advance the account between the list and its turn.
 */
export async function listAccountsToWalk(
  db: AnyDatabase,
  request: {
    readonly accountIds: readonly string[];
    readonly horizon: Date | undefined;
    readonly restSeconds: number;
  },
): Promise<{ readonly accountIds: readonly string[]; readonly restedSince: Date }> {
  const { accountIds, horizon, restSeconds } = request;
  const facts = await readPassFacts(db, accountIds);
  // Read after the list: a later time was recorded by a clock that has been set back since.
  const now = await readDatabaseTime(db);
  const restedSince = new Date(now.getTime() - restSeconds * 1000);
  return { accountIds: orderAccounts(facts, { now, horizon, restedSince }), restedSince };
}

export async function readPassFacts(db: AnyDatabase, accountIds: readonly string[]): Promise<PassFacts> {
  const watermarks = await listWatermarks(db, accountIds);
  return { accountIds, watermarks, gaps: await listUnindexedContent(db, accountIds) };
}
