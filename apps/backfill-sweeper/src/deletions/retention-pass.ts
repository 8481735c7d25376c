import { readDatabaseTime, type AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import { listAccountIds } from '@steward/slice-identity';
import { expireSessions, type ExpiredSessions } from '@steward/slice-sessions';

const DAY_MS = 86_400_000;

/** Deletes the sessions of all accounts in which nothing happened for so many days, by the database's clock; 0: none. */
export async function retentionPass(
  { db, logger }: { readonly db: AnyDatabase; readonly logger: Pick<Logger, 'info' | 'warn'> },
  days: number,
  signal: AbortSignal,
): Promise<ExpiredSessions> {
  const total = { deleted: 0, keptLegalHold: 0, keptExecutionActive: 0 };
  if (days === 0) return total;
  const before = new Date((await readDatabaseTime(db)).getTime() - days * DAY_MS);
  for (const accountId of await listAccountIds(db)) {
    try {
      const expired = await expireSessions(db, { accountId, before, signal });
      total.deleted += expired.deleted;
      total.keptLegalHold += expired.keptLegalHold;
      total.keptExecutionActive += expired.keptExecutionActive;
    } catch (error) {
      // The others have their turn.
      logger.warn('retention.account_failed', { account_id: accountId, error });
    }
  }
  if (total.deleted > 0)
    logger.info('retention.pass_finished', {
      sessions: total.deleted,
      kept_legal_hold: total.keptLegalHold,
      kept_execution_active: total.keptExecutionActive,
      outcome: 'ok',
    });
  return total;
}
