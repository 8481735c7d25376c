import { eventually } from '@steward/testing';
import { useSweeperProcesses } from './testing/use-sweeper-processes.ts';

const sweeper = useSweeperProcesses();

async function readActivity(healthPort: number): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${healthPort}/api/v1/health`);
  return ((await answer.json()) as { activity: Record<string, unknown> }).activity;
}

describe('the setting that enables the sweeper (CORP-13, CORP-15)', () => {
  it('is off by default; existing chunks are kept while it is off, and indexing resumes from there when it is on again', async () => {
    await sweeper.storeHistory(12);
    // One pass is made at startup; the next one would follow after an hour.
    const once = {
      SESSION_SEARCH_BACKFILL_INTERVAL_SECONDS: '3600',
      SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '5',
    };
    const first = await sweeper.start(once);
    await eventually(async () => (await readActivity(first.healthPort)).rows_written === 5);
    await first.kill();
    const written = await sweeper.readCorpus();
    expect(written).toHaveLength(5);

    const off = await sweeper.start({ SESSION_SEARCH_BACKFILL_ENABLED: '' });
    expect(await readActivity(off.healthPort)).toMatchObject({ enabled: false, passes: 0 });
    await off.kill();
    expect(await sweeper.readCorpus()).toEqual(written);

    await sweeper.start();
    await sweeper.untilSwept();
    expect(await sweeper.readCorpus()).toEqual(expect.arrayContaining([...written]));
  });
});
