import { parseArgs } from 'node:util';
import { createDatabase, transact, type Database } from '@steward/database';
import { createLogger, newId } from '@steward/runtime';
import { searchKeywords, writeChunks, type QueryStrictness } from '@steward/slice-search';
import { createTestDatabase } from '@steward/testing';
import { startThrowawayPostgres } from '../../src/servers/start-throwaway-postgres.ts';
import { printTable } from '../print-table.ts';
import { computeNdcg, computeRecall, computeReciprocalRank } from './judge.ts';
import { readCollection, type Collection } from './read-collection.ts';

const HELP = `npm run bench -- relevance --collection DIRECTORY

How good the ranking of the keyword search is on a judged collection in the form of Cranfield (cran.all.1400, cran.qry,
cranqrel; not shipped, its licence is not stated): nDCG@10, MRR and recall@50, each document a session.`;

/** `npm run bench -- relevance`. */
export async function runBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { collection: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help === true || values.collection === undefined) {
    console.log(HELP);
    process.exitCode = values.help === true ? 0 : 2;
    return;
  }
  const collection = readCollection(values.collection);
  const postgres = await startThrowawayPostgres();
  const server = await createTestDatabase();
  const logger = createLogger({ service: 'bench', level: 'error', pretty: false });
  const database = createDatabase({ url: server.url, applicationName: 'bench-relevance', poolSize: 2, logger });
  try {
    const accountId = newId();
    const documentOf = await store(database, accountId, collection);
    const rows: (readonly (string | number)[])[] = [];
    for (const strictness of ['strict', 'any_word'] as const) {
      const rankings = await rankAll(database, accountId, collection, strictness);
      const scores = rankings.map((sessions, place) => {
        const ranking = sessions.map((id) => documentOf.get(id) ?? '');
        const gains = collection.judgements[place] ?? new Map<string, number>();
        return [
          computeNdcg(ranking, gains, 10),
          computeReciprocalRank(ranking, gains),
          computeRecall(ranking, gains, 50),
        ];
      });
      const mean = (column: number): number => scores.reduce((sum, row) => sum + (row[column] ?? 0), 0) / scores.length;
      rows.push([strictness, mean(0).toFixed(3), mean(1).toFixed(3), mean(2).toFixed(3)]);
    }
    console.log(`${collection.documents.length} documents, ${collection.queries.length} queries`);
    printTable(['words joined', 'nDCG@10', 'MRR', 'recall@50'], rows);
  } finally {
    await database.close();
    await server.drop();
    await postgres.stop();
  }
}

/** Each document as the only content of a session; answers which session holds which. */
async function store(database: Database, accountId: string, collection: Collection): Promise<Map<string, string>> {
  const documentOf = new Map<string, string>();
  for (const [place, document] of collection.documents.entries()) {
    const runtimeSessionId = newId();
    documentOf.set(runtimeSessionId, document.id);
    const source = {
      accountId,
      runtimeSessionId,
      sourceKind: 'transcript_message' as const,
      sourceId: newId(),
      occurredAt: new Date(1_760_000_000_000 + place * 1000),
      role: 'user',
      text: document.text,
      redactionState: 'clear' as const,
    };
    await transact({ db: database.db, broker: { publishHint: () => undefined } }, (trx, hints) =>
      writeChunks(trx, hints, [source]),
    );
  }
  await database.pool.query('vacuum (analyze) search.chunk');
  return documentOf;
}

async function rankAll(
  database: Database,
  accountId: string,
  collection: Collection,
  strictness: QueryStrictness,
): Promise<string[][]> {
  const rankings: string[][] = [];
  for (const query of collection.queries) {
    const page = await searchKeywords(
      { work: database.pool, cancel: database.pool },
      {
        accountId,
        query,
        strictness,
        filter: {},
        limit: 50,
        offset: 0,
        maxSnippetsPerSession: 0,
        includeSnippetText: false,
      },
      { timeoutMs: 60_000, signal: new AbortController().signal },
    );
    rankings.push(page.sessions.map((session) => session.sessionId));
  }
  return rankings;
}
