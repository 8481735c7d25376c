import { systemClock } from '@steward/async';
import { createPools, type AnyDatabase, type Replica, type WalPosition } from '@steward/database';
import { readOrigin } from '@steward/egress';
import { createEmbeddingClient } from '@steward/embedding-client';
import type { Component, Logger } from '@steward/process';
import {
  answerSimilar,
  createSearchService,
  type SearchPorts,
  type SearchService,
  type SimilarAnswer,
  type SimilarRequest,
} from '@steward/search';
import { type SecretBoxes, createAuditQueue, type AuditQueue } from '@steward/api';
import { openReading, type Reading } from './open-reading.ts';
import { warmUpSearches } from './warm-up-searches.ts';

export interface SimilarCall {
  readonly signal: AbortSignal;
  readonly walPosition: WalPosition | null | undefined;
}

export interface ConnectedSearch {
  readonly search: SearchService;
  readonly findSimilar: (request: SimilarRequest, call: SimilarCall) => Promise<SimilarAnswer>;
  /** Queue that writes audit rows of searches in batches, because each separate write would cost a flush to disk. */
  readonly searchAudits: AuditQueue;
  /**
   * A separate connection with a time limit on its statements, for audit rows that are committed before a response is
   * sent.
   */
  readonly auditDb: AnyDatabase;
  /**
   * Searches an account without content on every connection of the search, because the first use of a connection is
   * slow. Writes neither an audit row nor a log line.
   */
  readonly warmUp: (accountId: string) => Promise<void>;
  /** The components, in the order in which they are started. */
  readonly components: readonly Component[];
}

export interface SearchConnectionDeps {
  /** Connection with which a search reads session data. */
  readonly db: AnyDatabase;
  readonly databaseUrl: string;
  readonly replica?: Pick<Replica, 'db' | 'url' | 'admit' | 'answer'> | undefined;
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
  /** Decrypts the keys of the providers that embed queries. */
  readonly secretBoxes: Pick<SecretBoxes, 'embedding'>;
  readonly logger: Logger;
}

/**
 * Creates the search service with its dependencies on sessions, backfill and audit. The search uses connections of its
 * own, so that slow searches do not delay other requests.
 */
export function connectSearch({
  db,
  databaseUrl,
  replica,
  settings,
  secretBoxes,
  logger,
}: SearchConnectionDeps): ConnectedSearch {
  const timeoutMs = settings.searchTimeoutMs;
  const primary = openReading({ db, url: databaseUrl, service: 'api-gateway', settings, logger });
  const standby =
    replica &&
    openReading({
      db: replica.db,
      url: replica.url,
      admit: replica.admit,
      service: 'api-gateway-replica',
      settings,
      logger,
    });
  const { pools, component } = createPools({
    url: databaseUrl,
    service: 'api-gateway',
    logger,
    // A single connection, so that rows that arrive at the same time are written together.
    pools: { audit: { size: 1, settings: { statement_timeout: `${timeoutMs}ms` } } },
  });
  const searchAudits = createAuditQueue(pools.audit.db);
  const embeddingClient = createEmbeddingClient({
    insecureOrigins: settings.embeddingInsecureOrigins.map(readOrigin),
    allowedPrivateCidrs: settings.embeddingAllowedPrivateCidrs,
  });
  const { embeddingEnabled } = settings;
  const common = buildCommonPorts(settings, { embeddingClient, embeddingKeys: secretBoxes.embedding });
  const search = createSearchService({
    ...primary.ports,
    replica: replica && standby && { ports: standby.ports, answer: replica.answer },
    ...common,
    logger,
    recordAudit: (entry) => searchAudits.record(entry),
  });
  return {
    search,
    findSimilar(request, { signal, walPosition }) {
      const answerFrom = ({ ports }: Reading) =>
        answerSimilar({ ...ports, timeoutMs, embeddingEnabled }, request, signal);
      if (replica === undefined || standby === undefined) return answerFrom(primary);
      return replica.answer(walPosition, {
        onReplica: () => answerFrom(standby),
        onPrimary: () => answerFrom(primary),
      });
    },
    warmUp: (accountId) =>
      warmUpSearches(
        [primary, ...(standby === undefined ? [] : [standby])].map(({ ports }) => ({ ...ports, ...common })),
        { accountId, count: settings.searchMaxConcurrent },
      ),
    searchAudits,
    auditDb: pools.audit.db,
    components: [
      component,
      primary.component,
      ...(standby === undefined ? [] : [standby.component]),
      { name: 'embedding client', stop: () => embeddingClient.close() },
      { name: 'search audits', stop: () => searchAudits.drain() },
    ],
  };
}

/** Builds the ports that are the same for the primary and the replica. */
function buildCommonPorts(
  settings: SearchConnectionDeps['settings'],
  clients: Pick<SearchPorts, 'embeddingClient' | 'embeddingKeys'>,
) {
  return {
    ...clients,
    timeoutMs: settings.searchTimeoutMs,
    embeddingEnabled: settings.embeddingEnabled,
    embeddingDailyCapUsd: settings.embeddingDailyCapUsd,
    embeddingPrices: settings.embeddingPrices,
    queryTimeoutMs: settings.embeddingQueryTimeoutMs,
    fusion: {
      depth: settings.fusionDepth,
      constant: settings.fusionConstant,
      keywordWeight: settings.fusionKeywordWeight,
      semanticWeight: settings.fusionSemanticWeight,
    },
    clock: systemClock,
  };
}
