import { addFinished } from './add-deliveries.ts';
import { FINISHED_BY_ROUNDS, openClaimBench, type RoundTimes } from './claim-rounds.ts';

export interface BacklogResult extends RoundTimes {
  readonly finishedRows: number;
}

/** Milliseconds of one claim of 50 and of writing its 50 outcomes, at growing numbers of finished deliveries. */
export async function measureBacklog(sizes: readonly number[], say: (line: string) => void): Promise<BacklogResult[]> {
  const bench = await openClaimBench();
  try {
    const results: BacklogResult[] = [];
    let finished = 0;
    for (const size of [...sizes].sort((a, b) => a - b)) {
      await addFinished(bench.admin, bench.accountId, size - finished);
      results.push({ finishedRows: size, ...(await bench.measure()) });
      say(`claim and settle with ${size} finished rows measured`);
      finished = size + FINISHED_BY_ROUNDS;
    }
    return results;
  } finally {
    await bench.close();
  }
}
