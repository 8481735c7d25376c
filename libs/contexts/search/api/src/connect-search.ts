import { systemClock } from '@steward/async';
import { createPools, type AnyDatabase } from '@steward/database';
import { readOrigin } from '@steward/egress';
import { createEmbeddingClient } from '@steward/embedding-client';
import type { Component, Logger } from '@steward/process';
import { listAgentIds } from '@steward/agents';
import { readCoverageCancellably } from '@steward/backfill';
import { findRuntimeSessionsByIdentifier, readSessionHeadings } from '@steward/sessions';
import {
  answerSimilar,
  createSearchService,
  SEARCH_SESSION_SETTINGS,
  type SearchService,
  type SimilarAnswer,
  type SimilarRequest,
} from '@steward/search';
import { type SecretBoxes, createAuditQueue, type AuditQueue } from '@steward/api';

const CANCEL_CONNECTIONS = 2;

export interface ConnectedSearch {
  readonly search: SearchService;
  readonly findSimilar: (request: SimilarRequest, signal: AbortSignal) => Promise<SimilarAnswer>;
  /** For rows of questions that each cost a flush. */
  readonly searchAudits: AuditQueue;
  /** A separate connection with a time limit on its statements, for rows written together with a response. */
  readonly auditDb: AnyDatabase;
  /** In start order. */
  readonly components: readonly Component[];
}

export interface SearchConnectionDeps {
  /** For session data of a search. */
  readonly db: AnyDatabase;
  readonly databaseUrl: string;
  readonly settings: {
    readonly searchMaxConcurrent: number;
    readonly searchTimeoutMs: number;
    readonly embeddingEnabled: boolean;
    readonly embeddingDailyCapUsd: number;
    readonly embeddingPrices: Readonly<Record<string, number>>;
    readonly embeddingInsecureOrigins: readonly string[];
    readonly embeddingAllowedPrivateCidrs: readonly string[];
    readonly embeddingQueryTimeoutMs: number;
    readonly fusionDepth: number;
    readonly fusionConstant: number;
    readonly fusionKeywordWeight: number;
    readonly fusionSemanticWeight: number;
  };
  /** Opens the keys of the providers that embed queries. */
  readonly secretBoxes: Pick<SecretBoxes, 'embedding'>;
  readonly logger: Logger;
}

/**
 * The search on connections of its own, with its dependencies on sessions, backfill and audit. A slow one delays no
 * other request.
 */
export function connectSearch({
  db,
  databaseUrl,
  settings,
  secretBoxes,
  logger,
}: SearchConnectionDeps): ConnectedSearch {
  const { searchMaxConcurrent, searchTimeoutMs: timeoutMs } = settings;
  const reading = {
    // The budget cancels by itself; this limit ends statements that a crashed process left behind.
    statement_timeout: `${timeoutMs * 2}ms`,
    default_transaction_read_only: 'on',
  };
  const { pools, component } = createPools({
    url: databaseUrl,
    service: 'api-gateway',
    logger,
    pools: {
      search: { size: searchMaxConcurrent, settings: { ...SEARCH_SESSION_SETTINGS, ...reading } },
      // Other queries of a search wait for the same locks and disks: on the common pool they would block every route.
      coverage: { size: searchMaxConcurrent, settings: reading },
      // One connection, since the rows of one moment are written together.
      audit: { size: 1, settings: { statement_timeout: `${timeoutMs}ms` } },
      // Reserved for cancellations: one that waits for a connection frees no slot.
      cancel: { size: CANCEL_CONNECTIONS },
    },
  });
  const searchAudits = createAuditQueue(pools.audit.db);
  const embeddingClient = createEmbeddingClient({
    insecureOrigins: settings.embeddingInsecureOrigins.map(readOrigin),
    allowedPrivateCidrs: settings.embeddingAllowedPrivateCidrs,
  });
  const common = {
    db,
    pools: { work: pools.search.pool, cancel: pools.cancel.pool },
    timeoutMs,
    embeddingEnabled: settings.embeddingEnabled,
    readSessionHeadings: (key: Parameters<typeof readSessionHeadings>[1]) => readSessionHeadings(db, key),
  };
  const search = createSearchService({
    ...common,
    embeddingDailyCapUsd: settings.embeddingDailyCapUsd,
    embeddingPrices: settings.embeddingPrices,
    embeddingClient,
    embeddingKeys: secretBoxes.embedding,
    queryTimeoutMs: settings.embeddingQueryTimeoutMs,
    fusion: {
      depth: settings.fusionDepth,
      constant: settings.fusionConstant,
      keywordWeight: settings.fusionKeywordWeight,
      semanticWeight: settings.fusionSemanticWeight,
    },
    clock: systemClock,
    logger,
    listAgentIds: (key) => listAgentIds(db, key),
    findSessionsByIdentifier: (key) => findRuntimeSessionsByIdentifier(db, key),
    readCoverage: (key, options) =>
      readCoverageCancellably({ db, pools: { work: pools.coverage.pool, cancel: pools.cancel.pool } }, key, options),
    recordAudit: (entry) => searchAudits.record(entry),
  });
  return {
    search,
    findSimilar: (request, signal) => answerSimilar(common, request, signal),
    searchAudits,
    auditDb: pools.audit.db,
    components: [
      component,
      { name: 'embedding client', stop: () => embeddingClient.close() },
      { name: 'search audits', stop: () => searchAudits.drain() },
    ],
  };
}
