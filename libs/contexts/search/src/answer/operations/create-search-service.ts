import { AppError, type SearchMode } from '@steward/contracts';
import { isStatementCancelled, readSqlState } from '@steward/database';
import { findEmbeddingSetting } from '../../embedding/store/embedding-setting.store.ts';
import { createSearchKeywords } from '../../keyword/operations/search-keywords.ts';
import { createQueryEmbedder } from '../../semantic/operations/create-query-embedder.ts';
import { describeAskedSearch } from '../rules/describe-asked-search.ts';
import { describeRanking, type RankingModel } from '../rules/describe-ranking.ts';
import type { SearchAnswer } from '../search-answer.ts';
import type { SearchAuditEntry, SearchPorts } from '../search-ports.ts';
import type { SearchCall, SearchRequest } from '../search-request.ts';
import { answerSearch, type AnswerDeps } from './answer-search.ts';
import { narrowToScope } from './narrow-to-scope.ts';

export interface SearchService {
  /**
   * Runs a search and writes its row in the audit log. When the signal is aborted, running statements are cancelled.
   * @throws AppError `invalid_request`, `query_has_no_terms`, `search_timeout`; for an agent's search also
   * `account_scope_not_granted`, `no_agent_identity`
   */
  search(request: SearchRequest, call: SearchCall & { readonly signal: AbortSignal }): Promise<SearchAnswer>;
  /** Writes the audit row of a call that was refused before the search. */
  noteRefusal(call: SearchCall, refusal: { readonly errorCode: string; readonly permission?: string }): Promise<void>;
  /** Returns a string that identifies the current ranking of an account. */
  describeRanking(key: { readonly accountId: string; readonly mode: SearchMode }): Promise<string>;
}

/** Creates the search service that every surface uses. Each search and each refusal writes one row to the audit log. */
export function createSearchService(ports: SearchPorts): SearchService {
  const deps = {
    ...ports,
    searchKeywords: createSearchKeywords(ports.pools),
    embedQuery: createQueryEmbedder(ports),
  };
  const onReplica = ports.replica && {
    ...deps,
    ...ports.replica.ports,
    searchKeywords: createSearchKeywords(ports.replica.ports.pools),
    // If the replica reports an error other than a cancelled statement, for example a conflict with replayed changes,
    // the search does not continue without a half: the primary runs all of it instead.
    mayMissHalf: (error: unknown) => readSqlState(error) === undefined || isStatementCancelled(error),
  };
  return {
    async search(request, call) {
      try {
        const narrowed = await narrowToScope(ports, request, call);
        const answerFrom = (place: AnswerDeps) => answerSearch(place, narrowed, call);
        const answer = await (ports.replica === undefined || onReplica === undefined
          ? answerFrom(deps)
          : ports.replica.answer(call.walPosition, {
              onReplica: () => answerFrom(onReplica),
              onPrimary: () => answerFrom(deps),
            }));
        const outcome = {
          effective_mode: answer.effectiveMode,
          result_count: answer.results.length,
          total_matched: answer.total,
          ...(answer.mode === 'keyword' ? {} : { degraded_reasons: answer.degraded.reasons }),
        };
        await audit(ports, call, { status: 'success', details: outcome });
        ports.logger.info('search.answered', {
          request_id: call.requestId,
          account_id: call.accountId,
          duration_ms: answer.elapsedMs,
          outcome: 'ok',
          ...call.asked.details,
          ...outcome,
        });
        return answer;
      } catch (error) {
        const code = call.signal.aborted ? 'client_gone' : error instanceof AppError ? error.code : 'internal';
        const status = error instanceof AppError && error.status === 403 ? 'denied' : 'failure';
        await audit(ports, call, { status, details: { error_code: code } });
        throw error;
      }
    },
    noteRefusal: (call, { errorCode, permission }) =>
      audit(ports, call, {
        status: permission === undefined ? 'failure' : 'denied',
        details: { error_code: errorCode, ...(permission === undefined ? {} : { permission }) },
      }),
    describeRanking: async ({ accountId, mode }) =>
      describeRanking(mode, ports.fusion, await findModel(ports, accountId)),
  };
}

async function findModel({ db, embeddingEnabled }: SearchPorts, accountId: string): Promise<RankingModel> {
  const { isEnabled, provider, baseUrl, modelIdentifier } = await findEmbeddingSetting(db, accountId);
  const isOff = !embeddingEnabled || !isEnabled;
  return isOff || provider === null || baseUrl === null || modelIdentifier === null
    ? undefined
    : { provider, baseUrl, modelIdentifier };
}

async function audit(
  { recordAudit, logger }: SearchPorts,
  { accountId, actor, source, action, resourceType, requestId, asked, agent }: SearchCall,
  { status, details }: Pick<SearchAuditEntry, 'status' | 'details'>,
): Promise<void> {
  try {
    await recordAudit({
      accountId,
      actor,
      source,
      action,
      resourceType,
      resourceId: null,
      status,
      details: { ...describeAskedSearch(asked), ...(agent === undefined ? {} : { scope: agent.scope }), ...details },
      requestId,
    });
  } catch (error) {
    // The response is sent even if this fails; the error is logged, because a missing audit row needs attention.
    logger.error('search.audit_failed', { request_id: requestId, error });
  }
}
