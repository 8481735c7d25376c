import { AppError } from '@steward/contracts';
import { createEmbeddingClient } from '@steward/embedding-client';
import { listLookups, readLookupTexts, type Lookup } from '@steward/testing';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { openBenchDatabase } from '../open-bench-database.ts';
import { printTable } from '../print-table.ts';
import { createModeRanker, type Ranker } from '../relevance/open-rankers.ts';
import { DEFAULT_FUSION } from '../relevance/report.ts';
import { storeTexts } from './store-texts.ts';

/** Share of the look-ups that should find their text. */
const TARGET = 0.98;

/** Runs `npm run bench -- lookups`. Exits with 1 if the target is missed. */
export async function runBench(): Promise<void> {
  const texts = readLookupTexts();
  const lookups = listLookups(texts);
  await runWithCleanup(async (stops) => {
    const { database, logger } = await openBenchDatabase(stops, 'bench-lookups');
    const client = createEmbeddingClient({ insecureOrigins: [], allowedPrivateCidrs: [] });
    stops.push(() => client.close());
    const stored = await storeTexts(database, texts);
    const rank = createModeRanker({ database, client, logger }, stored, { mode: 'keyword', fusion: DEFAULT_FUSION });
    const misses = await findMisses(rank, lookups);
    report(lookups, misses);
  });
}

async function findMisses(rank: Ranker, lookups: readonly Lookup[]): Promise<Lookup[]> {
  const misses: Lookup[] = [];
  for (const lookup of lookups) {
    const judged = {
      text: lookup.query,
      queryClass: lookup.lookupClass,
      gains: new Map(),
      excluded: new Set<string>(),
    };
    const found = await rank(judged).catch((error: unknown): string[] => {
      // A query without a word finds nothing.
      if (error instanceof AppError) return [];
      throw error;
    });
    if (!found.includes(lookup.textId)) misses.push(lookup);
  }
  return misses;
}

function report(lookups: readonly Lookup[], misses: readonly Lookup[]): void {
  const classes = [...new Set(lookups.map(({ lookupClass }) => lookupClass))];
  const count = (of: readonly Lookup[], name: string): number =>
    of.filter(({ lookupClass }) => lookupClass === name).length;
  printTable(
    ['class', 'found', 'of'],
    classes.map((name) => {
      const asked = count(lookups, name);
      return [name, String(asked - count(misses, name)), String(asked)];
    }),
  );
  for (const { query, lookupClass, textId } of misses)
    console.log(`  missed: ${query}  (${lookupClass}, in ${textId})`);
  const found = lookups.length - misses.length;
  const share = found / lookups.length;
  console.log(`\n  found ${found} of ${lookups.length} (${(100 * share).toFixed(1)} %; target ${100 * TARGET} %)`);
  if (share < TARGET) process.exitCode = 1;
}
