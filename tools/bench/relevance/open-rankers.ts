import type { SearchMode } from '@steward/contracts';
import { createSecretBox, KEY_PURPOSES } from '@steward/crypto';
import type { Database } from '@steward/database';
import type { EmbeddingClient } from '@steward/embedding-client';
import type { Logger } from '@steward/process';
import { createSearchKeywords, createSearchService, type SearchPorts } from '@steward/search';
import type { JudgedQuery } from './collection.ts';
import type { StoredCollection } from './store-collection.ts';

/** Ranks the documents for a query: returns their ids, best first. */
export type Ranker = (query: JudgedQuery) => Promise<string[]>;

export type Fusion = SearchPorts['fusion'];

export interface RankerDeps {
  readonly database: Database;
  readonly client: EmbeddingClient;
  readonly logger: Logger;
}

/** Encryption key for a provider without an API key, so that nothing is encrypted with it. */
export const EMBEDDING_KEYS = createSecretBox('0'.repeat(32), KEY_PURPOSES.embedding);

const LIMIT = 50;
const TIMEOUT_MS = 60_000;

/**
 * Creates a ranker that searches by words only, and a document may contain any of them: the keyword part of a hybrid
 * search, which no mode returns separately.
 */
export function createWordRanker({ database }: RankerDeps, { accountId, documentOf }: StoredCollection): Ranker {
  const searchKeywords = createSearchKeywords({ work: database.pool, cancel: database.pool });
  return async ({ text: query }) => {
    const page = await searchKeywords(
      {
        accountId,
        query,
        strictness: 'any_word',
        filter: {},
        limit: LIMIT,
        offset: 0,
        maxSnippetsPerSession: 0,
        includeSnippetText: false,
      },
      { timeoutMs: TIMEOUT_MS, signal: new AbortController().signal },
    );
    return page.sessions.slice(0, LIMIT).map(({ sessionId }) => documentOf.get(sessionId) ?? '');
  };
}

/**
 * Creates a ranker that calls the service as every API surface does, for an account that has only its corpus.
 * The ranker throws an Error for a response in a mode other than the requested one
 */
export function createModeRanker(
  deps: RankerDeps,
  { accountId, documentOf }: StoredCollection,
  { mode, fusion }: { readonly mode: SearchMode; readonly fusion: Fusion },
): Ranker {
  const service = createSearchService({ ...describePorts(deps, documentOf), fusion });
  return async ({ text }) => {
    const request = { query: text, mode, limit: LIMIT, maxSnippetsPerSession: 0 };
    const answer = await service.search(request, {
      accountId,
      actor: { kind: 'user', id: null },
      source: 'console',
      action: 'query',
      resourceType: 'session_search',
      requestId: 'bench',
      asked: { query: text, details: { mode } },
      signal: new AbortController().signal,
    });
    if (answer.effectiveMode !== mode) throw new Error(`"${text}" degraded: ${JSON.stringify(answer.degraded)}`);
    return answer.results.map(({ session }) => documentOf.get(session.id) ?? '');
  };
}

/** Creates the ports of the service: sessions have no fields, nothing is audited, and everything is indexed. */
function describePorts(
  { database, client, logger }: RankerDeps,
  documentOf: ReadonlyMap<string, string>,
): Omit<SearchPorts, 'fusion'> {
  const now = new Date();
  return {
    db: database.db,
    pools: { work: database.pool, cancel: database.pool },
    timeoutMs: TIMEOUT_MS,
    logger,
    embeddingEnabled: true,
    embeddingDailyCapUsd: 1,
    embeddingPrices: { default: 0 },
    embeddingClient: client,
    embeddingKeys: EMBEDDING_KEYS,
    queryTimeoutMs: TIMEOUT_MS,
    clock: { now: () => new Date() },
    listAgentIds: ({ id }) => Promise.resolve([id]),
    readSessionHeadings: ({ sessionIds }) => {
      const known = sessionIds.filter((id) => documentOf.has(id));
      return Promise.resolve(new Map(known.map((id) => [id, describeSession(id, now)])));
    },
    findSessionsByIdentifier: () => Promise.resolve([]),
    readCoverage: () =>
      Promise.resolve({
        indexedFrom: null,
        indexedThrough: null,
        backfillState: 'complete',
        backfillComplete: true,
        metadataOnlyFrom: null,
        metadataOnlyThrough: null,
        truncatedSources: 0,
      }),
    recordAudit: () => Promise.resolve(),
  };
}

function describeSession(id: string, at: Date) {
  return {
    id,
    sessionSourceType: 'bench',
    sessionSourceId: id,
    sessionReference: null,
    title: null,
    startedAt: at,
    lastActivityAt: at,
    endedAt: null,
  };
}
