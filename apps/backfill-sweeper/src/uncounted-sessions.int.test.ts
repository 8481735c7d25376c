import { eventually } from '@steward/testing';
import { useSweeperProcesses } from './testing/use-sweeper-processes.ts';

const sweeper = useSweeperProcesses();

/** Makes counting sessions fail for one account; they can still be read and indexed. */
async function refuseCounting(accountId: string): Promise<void> {
  await sweeper.admin.pool.query(`
    create function gate.refuse_counting() returns boolean language plpgsql as $$
    begin
      if current_query() like '%count(*) filter%' then raise exception 'nobody counts these'; end if;
      return true;
    end $$;
    create policy uncounted on gateway.runtime_session as restrictive for select to steward_backfill_sweeper
      using (account_id <> '${accountId}' or gate.refuse_counting());
  `);
}

describe('a pass whose remaining sessions cannot be counted', () => {
  it('is still reported by metrics, health and log', async () => {
    const accountId = await sweeper.storeHistory(8);
    await refuseCounting(accountId);
    const { healthPort, readOutput } = await sweeper.start({
      SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '5',
      SESSION_SEARCH_BACKFILL_INTERVAL_SECONDS: '3600',
    });
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${healthPort}${path}`)).text();
    await eventually(() => readOutput().includes('nobody counts these'));
    expect(await ask('/metrics')).toMatch(/^steward_backfill_rows_total\{.*\} 5$/m);
    expect(await ask('/metrics')).toMatch(/^steward_backfill_pass_duration_seconds_count\{.*\} 1$/m);
    expect(JSON.parse(await ask('/api/v1/health'))).toMatchObject({ activity: { passes: 1, rows_written: 5 } });
    expect(readOutput()).toContain('sweep.pass_finished');
  });
});
