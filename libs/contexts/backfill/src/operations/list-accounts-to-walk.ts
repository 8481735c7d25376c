import { readDatabaseTime, type AnyDatabase } from '@steward/database';
import { listUnindexedContent } from '@steward/sessions';
import { orderAccounts, type PassFacts } from '../rules/order-accounts.ts';
import { listWatermarks } from '../store/watermark.store.ts';

/**
 * Lists the accounts with sessions to process, in the order in which they are processed. Uses a fixed number of
 * statements, regardless of the number of accounts.
 *
 * @param request.restSeconds - An account whose walk was advanced within this time is skipped. The returned
 * `restedSince` passes this limit on to the walk itself, since another process may advance the account after it was
 * listed and before its walk starts.
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
  // The time is read after the watermarks: if a watermark contains a later time, that time was recorded before the
  // database's clock was set back.
  const now = await readDatabaseTime(db);
  const restedSince = new Date(now.getTime() - restSeconds * 1000);
  return { accountIds: orderAccounts(facts, { now, horizon, restedSince }), restedSince };
}

export async function readPassFacts(db: AnyDatabase, accountIds: readonly string[]): Promise<PassFacts> {
  const watermarks = await listWatermarks(db, accountIds);
  return { accountIds, watermarks, gaps: await listUnindexedContent(db, accountIds) };
}
