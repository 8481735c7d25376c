import { useSweeperProcesses } from './testing/use-sweeper-processes.ts';

const sweeper = useSweeperProcesses();

/** Steps of a process until it is killed: rows, watermarks and commits, the first of each and in the middle of many. */
const MOMENTS = [1, 2, 3, 5, 8, 13, 21, 26, 27, 28, 1, 29, 30, 33, 40, 52, 53, 54, 2, 77];

describe('a sweeper that is killed', () => {
  it('at any moment leaves a corpus that the next one completes as if nothing had been (CORP-15)', async () => {
    for (let account = 0; account < 3; account += 1) await sweeper.storeHistory(70);
    // Several batches an account and several accounts a pass.
    const limits = {
      SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '25',
      SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_PASS: '60',
    };
    for (const step of MOMENTS) {
      await sweeper.gate.close(step);
      const killed = await sweeper.start(limits);
      await sweeper.gate.untilReached();
      await killed.kill();
      await sweeper.gate.open();
      await sweeper.untilGone();
    }
    const interrupted = await sweeper.start(limits);
    await sweeper.untilSwept();
    await interrupted.kill();
    const corpus = await sweeper.readCorpus();
    expect(corpus.length).toBeGreaterThan(600);

    await sweeper.forgetCorpus();
    await sweeper.start();
    await sweeper.untilSwept();
    expect(corpus).toEqual(await sweeper.readCorpus());
  }, 600_000);
});
