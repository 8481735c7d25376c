import { readDatabaseTime, type AnyDatabase } from '@steward/database';
import { countSessionsBehind, type SessionCount } from '@steward/sessions';
import { continueWalk, needsWalk, type Walk } from '../rules/walk.ts';
import { readPassFacts } from './list-accounts-to-walk.ts';

/** Maximum number of sessions to count per account; counting more is not worth the cost. */
const MOST_COUNTED = 100_000;

/** The remaining work of a backfill of an account. */
export interface Remaining extends SessionCount {
  readonly accountId: string;
  /** Walk that is in progress or would be started; undefined if there is nothing to walk. */
  readonly walk: Walk | undefined;
}

/**
 * Counts the sessions still to be processed within the age limit, up to 100,000 per account. Uses a fixed number of
 * statements, regardless of the number of accounts.
 */
export async function countRemaining(
  db: AnyDatabase,
  { accountIds, horizon }: { readonly accountIds: readonly string[]; readonly horizon: Date | undefined },
): Promise<readonly Remaining[]> {
  const { watermarks, gaps } = await readPassFacts(db, accountIds);
  const now = await readDatabaseTime(db);
  const walks = accountIds.map((accountId) => {
    const [known, gap] = [watermarks.get(accountId), gaps.get(accountId)];
    const at = { now, horizon, gap };
    return { accountId, walk: needsWalk(known, at) ? continueWalk(known, at) : undefined };
  });
  const wanted = walks.flatMap(({ accountId, walk }) =>
    walk === undefined ? [] : [{ accountId, behind: walk.cursor, touchedSince: walk.touchedSince }],
  );
  const counts = await countSessionsBehind(db, wanted, { since: horizon, most: MOST_COUNTED });
  return walks.map((each) => ({ sessions: 0, isLeast: false, ...counts.get(each.accountId), ...each }));
}
