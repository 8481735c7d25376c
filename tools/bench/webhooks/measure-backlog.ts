import { addFinished } from './add-deliveries.ts';
import { FINISHED_BY_ROUNDS, measureGrowing, type RoundTimes } from './claim-rounds.ts';

export interface BacklogResult extends RoundTimes {
  readonly finishedRows: number;
}

/**
 * Measures the milliseconds taken by one claim of 50 deliveries and by writing their 50 outcomes, at growing numbers of
 * finished deliveries.
 */
export function measureBacklog(sizes: readonly number[], say: (line: string) => void): Promise<BacklogResult[]> {
  let finished = 0;
  return measureGrowing(sizes, async (bench, size) => {
    await addFinished(bench.admin, bench.accountId, size - finished);
    const times = await bench.measure();
    say(`claim and settle with ${size} finished rows measured`);
    finished = size + FINISHED_BY_ROUNDS;
    return { finishedRows: size, ...times };
  });
}
