import { beginTrace, newId } from '@steward/crypto';
import { APP_ROLES, transact } from '@steward/database';
import { openClone } from '@steward/database/testing';
import type { ChunkSource } from '../corpus/chunk-source.ts';
import { writeChunks, type WriteChunksOptions } from '../corpus/operations/write-chunks.ts';
import type { KeywordSearchInput, SearchOptions } from '../keyword/keyword-search.ts';
import { createSearchKeywords } from '../keyword/operations/search-keywords.ts';
import { SEARCH_SESSION_SETTINGS } from '../keyword/store/session-settings.store.ts';

export type OpenSearch = Awaited<ReturnType<typeof openSearch>>;

/** Returns a text in a new session of this account, by default a tool call. */
export function buildSource(accountId: string, text: string, more: Partial<ChunkSource> = {}): ChunkSource {
  return {
    accountId,
    runtimeSessionId: newId(),
    sourceKind: 'tool_call',
    sourceId: newId(),
    occurredAt: new Date('2026-11-20T10:00:00Z'),
    role: null,
    redactionState: 'clear',
    ...more,
    text,
  };
}

/** Opens the context on a cloned database with the gateway's role, and connections with the settings of searches. */
export async function openSearch() {
  const { admin, logger, connectAs, close } = await openClone();
  const database = connectAs(APP_ROLES.apiGateway, { sessionSettings: SEARCH_SESSION_SETTINGS });
  /** Hints published after each commit. */
  const hints: object[] = [];
  const deps = {
    db: database.db,
    broker: { publishHint: (_name: string, payload: object) => void hints.push(payload) },
    traceparent: beginTrace(),
  };
  const pools = { work: database.pool, cancel: database.pool };
  const searchKeywords = createSearchKeywords(pools);

  return {
    database,
    admin,
    hints,
    logger,
    pools,
    connectAs,
    writeAll: (sources: readonly ChunkSource[], options?: WriteChunksOptions) =>
      transact(deps, (trx, sink) => writeChunks(trx, sink, sources, options)),
    async write(accountId: string, text: string, more: Partial<ChunkSource> = {}) {
      const source = buildSource(accountId, text, more);
      return { source, outcome: await transact(deps, (trx, sink) => writeChunks(trx, sink, [source])) };
    },
    search: (
      accountId: string,
      query: string,
      more: Partial<KeywordSearchInput> = {},
      options: Partial<SearchOptions> = {},
    ) =>
      searchKeywords(
        {
          accountId,
          query,
          strictness: 'strict',
          filter: {},
          limit: 20,
          offset: 0,
          maxSnippetsPerSession: 3,
          includeSnippetText: true,
          ...more,
        },
        { timeoutMs: 60_000, signal: new AbortController().signal, ...options },
      ),
    /** Runs a query as superuser, to check the database directly. */
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      return (await admin.pool.query(text, [...values])).rows as Row[];
    },
    close,
  };
}
