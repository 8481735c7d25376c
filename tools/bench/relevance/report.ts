import type { SearchMode } from '@steward/contracts';
import { loadSettings } from '@steward/process';
import { semanticSettings } from '@steward/search';
import { printTable } from '../print-table.ts';
import type { Collection } from './collection.ts';
import { createModeRanker, createWordRanker, type Fusion, type Ranker, type RankerDeps } from './open-rankers.ts';
import { scoreRankings, type Scores } from './score-rankings.ts';
import type { StoredCollection } from './store-collection.ts';

const settings = loadSettings(semanticSettings, {});

/** Fusion that a deployment uses by default. */
export const DEFAULT_FUSION: Fusion = {
  constant: settings.fusionConstant,
  keywordWeight: settings.fusionKeywordWeight,
  semanticWeight: settings.fusionSemanticWeight,
  depth: settings.fusionDepth,
};

/** Rankings of every query, by search mode; `words` is the keyword part of a hybrid search. */
export type ModeRankings = Readonly<Record<SearchMode | 'words', readonly (readonly string[])[]>>;

export async function rankAll(ranker: Ranker, { queries }: Collection): Promise<string[][]> {
  const rankings: string[][] = [];
  for (const query of queries) rankings.push(await ranker(query));
  return rankings;
}

/** Measures every mode and prints a row for each. */
export async function reportModes(
  deps: RankerDeps,
  collection: Collection,
  stored: StoredCollection,
): Promise<ModeRankings> {
  const ask = (mode: SearchMode) =>
    rankAll(createModeRanker(deps, stored, { mode, fusion: DEFAULT_FUSION }), collection);
  const rankings: ModeRankings = {
    keyword: await ask('keyword'),
    words: await rankAll(createWordRanker(deps, stored), collection),
    semantic: await ask('semantic'),
    hybrid: await ask('hybrid'),
  };
  printScores(
    'searched by',
    Object.entries(rankings).map(([mode, ranked]) => [mode, scoreRankings(collection.queries, ranked)]),
  );
  return rankings;
}

/** Prints a row for each class of queries and each mode. */
export function reportClasses(collection: Collection, rankings: ModeRankings): void {
  const places = Map.groupBy(collection.queries.keys(), (place) => collection.queries[place]?.queryClass ?? '');
  for (const [queryClass, of] of places) {
    const rows = Object.entries(rankings).map(([mode, ranked]) => [mode, scoreClass(collection, ranked, of)] as const);
    printScores(`${queryClass} (${of.length})`, rows);
  }
}

function scoreClass(
  { queries }: Collection,
  rankings: readonly (readonly string[])[],
  places: readonly number[],
): Scores {
  const pick = <T>(list: readonly T[]): T[] => places.flatMap((place) => list.slice(place, place + 1));
  return scoreRankings(pick(queries), pick(rankings));
}

export function printScores(heading: string, rows: readonly (readonly [string, Scores])[]): void {
  const show = (share: number): string => (Number.isNaN(share) ? '-' : share.toFixed(3));
  console.log('');
  printTable(
    [heading, 'nDCG@10', 'MRR', 'recall@1', 'recall@5', 'recall@50', 'excluded shown', 'answered without answer'],
    rows.map(([name, scores]) => [
      name,
      ...[
        scores.ndcg10,
        scores.mrr,
        scores.recall1,
        scores.recall5,
        scores.recall50,
        scores.leaks,
        scores.answered,
      ].map(show),
    ]),
  );
}

const IDENTIFIER_RECALL = 0.98;

/** Compares the rankings with their targets, names those that were missed, and in that case sets exit code 1. */
export function reportTargets(collection: Collection, rankings: ModeRankings): void {
  const scoresOf = (mode: keyof ModeRankings, queryClass?: string): Scores => {
    const places = [...collection.queries.keys()].filter(
      (place) => queryClass === undefined || collection.queries[place]?.queryClass === queryClass,
    );
    return scoreClass(collection, rankings[mode], places);
  };
  const targets =
    collection.name === 'Cranfield'
      ? (['ndcg10', 'recall50'] as const).map((measure) => ({
          what: `hybrid ${measure} at least that of the better half`,
          value: scoresOf('hybrid')[measure],
          bound: Math.max(scoresOf('words')[measure], scoresOf('semantic')[measure]),
        }))
      : [
          {
            what: 'identifier recall@1 of hybrid',
            value: scoresOf('hybrid', 'identifier').recall1,
            bound: IDENTIFIER_RECALL,
          },
          {
            what: 'paraphrase recall@5 of hybrid above that of keyword',
            value: scoresOf('hybrid', 'paraphrase').recall5,
            bound: scoresOf('keyword', 'paraphrase').recall5 + Number.EPSILON,
          },
        ];
  console.log('');
  for (const { what, value, bound } of targets) {
    const isMet = value >= bound;
    console.log(`${isMet ? 'met   ' : 'MISSED'}  ${what}: ${value.toFixed(3)} (${bound.toFixed(3)})`);
    if (!isMet) process.exitCode = 1;
  }
}
