import { transact, type Database } from '@steward/database';
import { createEmbeddingClient } from '@steward/embedding-client';
import { saveEmbeddingSetting } from '@steward/search';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { openBenchDatabase } from '../open-bench-database.ts';
import type { Collection } from './collection.ts';
import { reportGrid } from './fusion-grid.ts';
import { EMBEDDING_KEYS, type RankerDeps } from './open-rankers.ts';
import type { RelevanceBenchOptions } from './options.ts';
import { startProvider, type Provider } from './provider.ts';
import { readAgentSessions } from './read-agent-sessions.ts';
import { readCranfield } from './read-cranfield.ts';
import { reportClasses, reportModes, reportTargets } from './report.ts';
import { embedCollection, storeCollection, type StoredCollection } from './store-collection.ts';

/** Runs `npm run bench -- relevance`. Exits with 1 if a target is missed. */
export async function runBench(options: RelevanceBenchOptions): Promise<void> {
  const collections = [
    readAgentSessions(),
    ...(options.collection === undefined ? [] : [readCranfield(options.collection)]),
  ];
  await runWithCleanup(async (stops) => {
    const { database, logger } = await openBenchDatabase(stops, 'bench-relevance');
    const { provider, origin, close } = await startProvider();
    stops.push(close);
    const client = createEmbeddingClient({ insecureOrigins: [origin], allowedPrivateCidrs: [] });
    stops.push(() => client.close());
    for (const collection of collections) {
      const deps = { database, client, logger };
      const stored = await prepare(deps, collection, { provider, origin });
      const modes = await reportModes(deps, collection, stored);
      if (collection.name === 'agent sessions') reportClasses(collection, modes);
      reportTargets(collection, modes);
      if (options.grid) await reportGrid(deps, collection, stored);
    }
  });
}

/** Stores the collection as the corpus of an account with semantic search. */
async function prepare(
  { database, client }: RankerDeps,
  collection: Collection,
  { provider, origin }: { readonly provider: Provider; readonly origin: string },
): Promise<StoredCollection> {
  const stored = await storeCollection(database, collection);
  await enableEmbedding(database, stored.accountId, { provider, origin });
  const startedAt = performance.now();
  const chunks = await embedCollection(database, client, stored, provider);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `\n${collection.name}: ${collection.documents.length} sessions, ${chunks} chunks (vectors in ${seconds} s), ${collection.queries.length} queries`,
  );
  return stored;
}

async function enableEmbedding(
  database: Database,
  accountId: string,
  { provider, origin }: { readonly provider: Provider; readonly origin: string },
): Promise<void> {
  const patch = { isEnabled: true, scope: 'full', modelIdentifier: provider.model, baseUrl: provider.baseUrl };
  const save = { accountId, patch, insecureOrigins: [origin], now: new Date() };
  const outcome = await transact({ db: database.db }, (trx) => saveEmbeddingSetting(trx, save, EMBEDDING_KEYS));
  if (outcome.kind === 'refused') throw new Error(outcome.code);
}
