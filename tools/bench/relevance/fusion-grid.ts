import type { Collection } from './collection.ts';
import { createModeRanker, type RankerDeps } from './open-rankers.ts';
import { DEFAULT_FUSION, printScores, rankAll } from './report.ts';
import { scoreRankings, type Scores } from './score-rankings.ts';
import type { StoredCollection } from './store-collection.ts';

const CONSTANTS = [0, 1, 2, 5, 10, 20, 60];
/** Weights of the words, relative to that of the meaning. */
const WEIGHTS = [0.5, 1, 1.5, 2, 3];

/** Measures hybrid search with various constants and weights, from which the defaults of the service were chosen. */
export async function reportGrid(deps: RankerDeps, collection: Collection, stored: StoredCollection): Promise<void> {
  const rows: (readonly [string, Scores])[] = [];
  for (const constant of CONSTANTS) {
    for (const keywordWeight of WEIGHTS) {
      const fusion = { ...DEFAULT_FUSION, constant, keywordWeight, semanticWeight: 1 };
      const rankings = await rankAll(createModeRanker(deps, stored, { mode: 'hybrid', fusion }), collection);
      rows.push([`constant ${constant}, words ${keywordWeight} : 1`, scoreRankings(collection.queries, rankings)]);
    }
  }
  printScores('fusion', rows);
}
