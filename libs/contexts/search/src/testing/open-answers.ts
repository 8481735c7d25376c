import { systemClock } from '@steward/async';
import { createSecretBox, KEY_PURPOSES, newId } from '@steward/crypto';
import { createSearchService } from '../answer/operations/create-search-service.ts';
import type { SearchAnswer } from '../answer/search-answer.ts';
import type { CorpusCoverage, IdentifiedSession, SearchAuditEntry, SearchPorts } from '../answer/search-ports.ts';
import type { SearchCall, SearchRequest } from '../answer/search-request.ts';
import type { ChunkSource } from '../corpus/chunk-source.ts';
import { openSearch } from './open-search.ts';

export const COVERAGE: CorpusCoverage = {
  indexedFrom: new Date('2026-01-01T00:00:00Z'),
  indexedThrough: new Date('2026-11-20T00:00:00Z'),
  backfillState: 'complete',
  backfillComplete: true,
  metadataOnlyFrom: null,
  metadataOnlyThrough: null,
  truncatedSources: 0,
};

/** Settings of a deployment that never calls a provider. */
export const NO_PROVIDER = {
  embeddingEnabled: true,
  embeddingDailyCapUsd: 2,
  embeddingPrices: { default: 1 },
  embeddingClient: { embed: () => Promise.reject(new Error('no provider here')) },
  embeddingKeys: createSecretBox('0123456789abcdef0123456789abcdef', KEY_PURPOSES.embedding),
  queryTimeoutMs: 20_000,
  fusion: { constant: 20, keywordWeight: 1, semanticWeight: 1, depth: 100 },
  clock: systemClock,
} as const;

export const idsOf = (answer: SearchAnswer): string[] => answer.results.map(({ session }) => session.id);
/** Returns a day in the month of the tests' content. */
export const at = (day: number): Date => new Date(Date.UTC(2026, 9, day));

export type OpenAnswers = Awaited<ReturnType<typeof openAnswers>>;

/** Opens the search service on a real corpus; sessions, coverage and the audit log are in-memory lists. */
export async function openAnswers(change: Partial<SearchPorts> = {}) {
  const suite = await openSearch();
  const sessions = new Map<string, IdentifiedSession & { readonly accountId: string }>();
  const audited: SearchAuditEntry[] = [];
  const lines: { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
  const note = (event: string, fields: Readonly<Record<string, unknown>> = {}) => void lines.push({ event, fields });
  const own = (accountId: string) => [...sessions.values()].filter((session) => session.accountId === accountId);
  const ports: SearchPorts = {
    db: suite.database.db,
    pools: suite.pools,
    timeoutMs: 20_000,
    ...NO_PROVIDER,
    logger: { ...suite.logger, info: note, error: note } as SearchPorts['logger'],
    readSessionHeadings: ({ accountId, sessionIds }) =>
      Promise.resolve(
        new Map(own(accountId).flatMap((each) => (sessionIds.includes(each.id) ? [[each.id, each]] : []))),
      ),
    listAgentIds: ({ id }) => Promise.resolve([id]),
    findSessionsByIdentifier: ({ accountId, text, limit, sessionIds = [] }) =>
      Promise.resolve(
        own(accountId)
          .filter(
            (each) =>
              [each.id, each.sessionSourceId, each.sessionReference, each.apiKeyId].includes(text) ||
              sessionIds.includes(each.id),
          )
          .slice(0, limit),
      ),
    readCoverage: () => Promise.resolve(COVERAGE),
    recordAudit: (entry) => Promise.resolve(void audited.push(entry)),
    ...change,
  };
  const service = createSearchService(ports);
  const buildCall = (accountId: string, request: SearchRequest, more: Partial<SearchCall> = {}): SearchCall => ({
    accountId,
    actor: { kind: 'user', id: 'user-1' },
    source: 'console',
    action: 'query',
    resourceType: 'session_search',
    requestId: 'request-1',
    asked: { query: request.query, details: { mode: request.mode ?? 'keyword' } },
    ...more,
  });

  return {
    ...suite,
    ports,
    service,
    audited,
    lines,
    buildCall,
    /** Adds a session to the account, and returns its id. */
    addSession(accountId: string, more: Partial<IdentifiedSession> = {}): string {
      const id = more.id ?? newId();
      const at = new Date('2026-11-20T10:00:00Z');
      sessions.set(id, {
        accountId,
        id,
        sessionSourceType: 'test',
        sessionSourceId: `source-${id}`,
        sessionReference: null,
        title: null,
        startedAt: at,
        lastActivityAt: at,
        endedAt: null,
        flowId: null,
        apiKeyId: null,
        runtimePrincipalId: null,
        labels: [],
        ...more,
      });
      return id;
    },
    /** Adds a session with one chunk for each text. */
    async tell(accountId: string, texts: readonly string[], more: Partial<ChunkSource & IdentifiedSession> = {}) {
      const { title, sessionReference, startedAt, lastActivityAt, id, ...source } = more;
      const { apiKeyId, runtimePrincipalId } = source;
      const given = { title, sessionReference, startedAt, lastActivityAt, id, apiKeyId, runtimePrincipalId };
      const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const sessionId = this.addSession(accountId, known);
      for (const text of texts) await suite.write(accountId, text, { ...source, runtimeSessionId: sessionId });
      return sessionId;
    },
    ask: (accountId: string, request: SearchRequest, signal: AbortSignal = new AbortController().signal) =>
      service.search(request, { ...buildCall(accountId, request), signal }),
  };
}
