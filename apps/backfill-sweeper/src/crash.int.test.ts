import fc from 'fast-check';
import { scaleLimit, seedCampaign, sizeCampaign } from '@steward/testing';
import { useSweeperProcesses } from './testing/use-sweeper-processes.ts';

const sweeper = useSweeperProcesses();

/** Maximum number of steps before a process is killed: rows, watermarks and commits. */
const MOST_STEPS = 60;
/** Steps at which a process is always killed: the first step of each kind, and steps in the middle of a pass. */
const MOMENTS = [1, 2, 3, 26, 27, 28, 53, 54];
const RANDOM_MOMENTS = sizeCampaign({ daily: 4, full: 20 });
const SEED = seedCampaign();

function drawMoments(): number[] {
  const moment = fc.noBias(fc.integer({ min: 1, max: MOST_STEPS }));
  return fc.sample(moment, { seed: SEED, numRuns: RANDOM_MOMENTS });
}

describe(`a sweeper that is killed (seed ${SEED})`, () => {
  it(
    'at any moment leaves a corpus that the next sweeper completes (CORP-15)',
    async () => {
      const moments = [...MOMENTS, ...drawMoments()];
      for (let account = 0; account < 3; account += 1) await sweeper.storeHistory(190);
      // With these limits, an account needs several passes, and a pass processes several accounts.
      const limits = {
        SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '25',
        SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_PASS: '60',
      };
      for (const step of moments) {
        await sweeper.gate.close(step);
        const killed = await sweeper.start(limits);
        await sweeper.gate.untilReached();
        await killed.kill();
        await sweeper.gate.open();
        await sweeper.untilGone();
      }
      const interrupted = await sweeper.start();
      await sweeper.untilSwept();
      await interrupted.kill();
      const corpus = await sweeper.readCorpus();
      // Ensures that some rows were left when each process was killed at random.
      expect(corpus.length).toBeGreaterThan(moments.length * MOST_STEPS);

      await sweeper.forgetCorpus();
      await sweeper.start();
      await sweeper.untilSwept();
      expect(corpus).toEqual(await sweeper.readCorpus());
    },
    scaleLimit(600_000),
  );
});
