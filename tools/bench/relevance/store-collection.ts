import { beginTrace, newId } from '@steward/crypto';
import { transact, type Database } from '@steward/database';
import type { EmbeddingClient } from '@steward/embedding-client';
import { findOrCreateSpace, writeChunks, writeVectors } from '@steward/search';
import type { Collection, JudgedDocument } from './collection.ts';
import type { Provider } from './provider.ts';

/** Collection that is stored as the corpus of a separate account. */
export interface StoredCollection {
  readonly accountId: string;
  readonly documentOf: ReadonlyMap<string, string>;
}

const STARTED_AT = Date.UTC(2026, 9, 1);
const MINUTE_MS = 60_000;
const PART_SECONDS = 5;
const BATCH = 64;
const TIMEOUT_MS = 600_000;

/** Stores each document as a session, one minute after the previous one. */
export async function storeCollection(database: Database, { documents }: Collection): Promise<StoredCollection> {
  const accountId = newId();
  const documentOf = new Map<string, string>();
  const committer = { db: database.db, broker: { publishHint: () => undefined } };
  for (const [place, document] of documents.entries()) {
    const sessionId = newId();
    documentOf.set(sessionId, document.id);
    const sources = listSources(document, { accountId, sessionId, startedAt: STARTED_AT + place * MINUTE_MS });
    await transact({ ...committer, traceparent: beginTrace() }, (trx, hints) => writeChunks(trx, hints, sources));
  }
  await database.pool.query('vacuum (analyze) search.chunk');
  return { accountId, documentOf };
}

function listSources(
  { parts }: JudgedDocument,
  session: { readonly accountId: string; readonly sessionId: string; readonly startedAt: number },
) {
  return parts.map((part, place) => ({
    ...part,
    accountId: session.accountId,
    runtimeSessionId: session.sessionId,
    sourceId: newId(),
    occurredAt: new Date(session.startedAt + place * PART_SECONDS * 1000),
    redactionState: 'clear' as const,
  }));
}

/**
 * Embeds each chunk.
 * @throws Error if the provider does not return vectors
 */
export async function embedCollection(
  database: Database,
  client: EmbeddingClient,
  { accountId }: StoredCollection,
  { baseUrl, model, provider }: Provider,
): Promise<number> {
  const { rows } = await database.pool.query<{ id: string; content: string }>(
    'select id, content from search.chunk where account_id = $1 order by id',
    [accountId],
  );
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    const inputs = batch.map(({ content }) => content);
    const outcome = await client.embed({ baseUrl, apiKey: undefined, model, inputs, timeoutMs: TIMEOUT_MS });
    if (outcome.kind !== 'embedded') throw new Error(`the provider did not embed: ${JSON.stringify(outcome)}`);
    const vectors = batch.map(({ id }, place) => ({
      chunkId: id,
      vector: outcome.vectors[place] ?? new Float32Array(),
    }));
    const width = outcome.vectors[0]?.length ?? 0;
    await transact({ db: database.db }, async (trx) => {
      const key = { accountId, provider, baseUrl, modelIdentifier: model, width };
      await writeVectors(trx, { space: await findOrCreateSpace(trx, key), vectors });
    });
  }
  return rows.length;
}
