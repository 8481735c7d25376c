import { eventually } from '@steward/testing';
import { useSweeperProcesses } from './testing/use-sweeper-processes.ts';

const sweeper = useSweeperProcesses();
const OF_AN_ACCOUNT = [
  'gateway.user_account',
  'gateway.session_content',
  'gateway.runtime_session',
  'gateway.unindexed_content',
  'search.chunk',
  'backfill.watermark',
];

async function deleteAccount(accountId: string): Promise<void> {
  for (const table of OF_AN_ACCOUNT)
    await sweeper.admin.pool.query(`delete from ${table} where account_id = $1`, [accountId]);
  await sweeper.admin.pool.query('delete from gateway.account where id = $1', [accountId]);
}

/**
 * Resolves when the deletion of sessions waits for a lock: a batch locks the sessions of its chunks until it commits.
 */
const untilDeletionWaits = () =>
  eventually(async () => {
    const { rowCount } = await sweeper.admin.pool.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from gateway.runtime_session %'`,
    );
    return rowCount === 1;
  });

describe('an account that is deleted during its backfill', () => {
  it('leaves no chunk behind, causes no errors and delays no other account (CORP-20)', async () => {
    const deleted = await sweeper.storeHistory(60);
    await sweeper.gate.close(20);
    const running = await sweeper.start({ SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '50' });
    await sweeper.gate.untilReached();
    const deletion = deleteAccount(deleted);
    await untilDeletionWaits();
    const other = await sweeper.storeHistory(5);
    await sweeper.gate.open();
    await deletion;
    await sweeper.untilSwept();
    await eventually(async () => {
      const accounts = (await sweeper.readCorpus()).map((chunk) => (chunk as { account_id: string }).account_id);
      return new Set(accounts).size === 1 && accounts[0] === other;
    });
    expect(running.readOutput()).not.toContain('sweep.account_failed');
  });
});
