import { AppError, type DegradedReason } from '@steward/contracts';
import type { CancellableOptions } from '@steward/database';
import type { SearchKeywords } from '../../keyword/keyword-search.ts';
import { rethrowTimeout } from '../../rethrow-timeout.ts';
import { describeProgress, UNKNOWN_PROGRESS } from '../../semantic/operations/describe-progress.ts';
import type { EmbedQuery } from '../../semantic/operations/create-query-embedder.ts';
import { guardHalf } from '../../semantic/operations/guard-half.ts';
import { readSemanticTerms } from '../../semantic/operations/read-semantic-terms.ts';
import type { Meaning } from '../../semantic/rules/read-meaning.ts';
import type { SemanticTerms } from '../../semantic/semantic-half.ts';
import type { FoundPage } from '../found-page.ts';
import { describeDegraded } from '../rules/describe-degraded.ts';
import { readSearchTask, type SearchTask } from '../rules/read-search-task.ts';
import type { SearchAnswer } from '../search-answer.ts';
import type { CorpusCoverage, SearchPorts } from '../search-ports.ts';
import type { SearchRequest } from '../search-request.ts';
import { findByBoth } from './find-by-both.ts';
import { explainEmpty } from './explain-empty.ts';
import { findByWords } from './find-by-words.ts';

export interface AnswerDeps extends Omit<SearchPorts, 'recordAudit' | 'replica'> {
  readonly searchKeywords: SearchKeywords;
  readonly embedQuery: EmbedQuery;
}

/** Runs one search. @throws AppError `invalid_request`, `query_has_no_terms`, `search_timeout` */
export async function answerSearch(
  deps: AnswerDeps,
  request: SearchRequest,
  call: { readonly accountId: string; readonly requestId: string; readonly signal: AbortSignal },
): Promise<SearchAnswer> {
  const startedAt = performance.now();
  const task = await addMerged(deps, readSearchTask(request, call.accountId));
  const { limit, offset } = task.input;
  const [found, coverage] = await withCoverage(deps, task, call.signal, async (signal) =>
    task.mode === 'keyword'
      ? findByWords(deps, task, undefined, { timeoutMs: deps.timeoutMs, signal })
      : findWithMeaning(
          deps,
          { ...task, meaning: requireMeaning(task) },
          { startedAt, signal, requestId: call.requestId },
        ),
  );
  const timeoutMs = Math.max(1, deps.timeoutMs - (performance.now() - startedAt));
  const hint = found.total > 0 ? null : await explainEmpty(deps, task, coverage, { timeoutMs, signal: call.signal });
  return {
    query: task.query,
    mode: task.mode,
    effectiveMode: found.effectiveMode,
    results: found.results,
    total: found.total,
    totalIsExact: found.totalIsExact,
    limit,
    offset,
    nextCursor: found.nextCursor,
    coverage,
    embeddedThrough: found.embeddedThrough ?? null,
    degraded: describeDegraded(found.reasons),
    hint,
    elapsedMs: Math.round((performance.now() - startedAt) * 10) / 10,
  };
}

/** Adds all agents that were merged into the agent of the filter, so that their sessions are found too. */
async function addMerged({ listAgentIds }: Pick<AnswerDeps, 'listAgentIds'>, task: SearchTask): Promise<SearchTask> {
  const { accountId, filter } = task.input;
  const { runtimePrincipalId: asked } = filter;
  if (asked === undefined) return task;
  const others = (await listAgentIds({ accountId, id: asked })).filter((id) => id !== asked);
  if (others.length === 0) return task;
  return { ...task, input: { ...task.input, filter: { ...filter, mergedPrincipalIds: others } } };
}

/**
 * Reads the coverage of the corpus while `find` searches it. If the search fails, reading the coverage is cancelled.
 * @throws search_timeout if reading the coverage exceeds the time limit of a search
 */
async function withCoverage<T>(
  deps: AnswerDeps,
  { input }: SearchTask,
  signal: AbortSignal,
  find: (signal: AbortSignal) => Promise<T>,
): Promise<[T, CorpusCoverage]> {
  const failure = new AbortController();
  const key = { accountId: input.accountId, range: input.filter };
  const options = { timeoutMs: deps.timeoutMs, signal: AbortSignal.any([signal, failure.signal]) };
  const coverage = deps.readCoverage(key, options).catch(rethrowTimeout);
  // If both fail, for example because the client disconnects, the error of the search is reported.
  coverage.catch(() => undefined);
  try {
    return [await find(options.signal), await coverage];
  } catch (error) {
    failure.abort();
    throw error;
  }
}

/**
 * Returns the part of the query that is embedded.
 * @throws query_has_no_terms
 */
function requireMeaning({ meaning }: SearchTask): Meaning {
  if (meaning === undefined) throw new AppError('query_has_no_terms');
  return meaning;
}

/**
 * Terms that are used if reading the embedding setting and the vector spaces of the account fails or takes too long.
 */
const UNREADABLE: SemanticTerms = { kind: 'missing', reasons: ['semantic_provider_error'], corpus: undefined };

/**
 * Returns a page of a search that needs vectors. If the semantic half is missing, only keywords are searched; later
 * pages continue in the mode of the first page.
 */
async function findWithMeaning(
  deps: AnswerDeps,
  task: SearchTask & { readonly meaning: Meaning },
  call: { readonly startedAt: number; readonly requestId: string; readonly signal: AbortSignal },
): Promise<FoundPage> {
  const { signal, requestId, startedAt } = call;
  const { accountId } = task.input;
  const readOptions = (): CancellableOptions => ({
    timeoutMs: Math.max(1, deps.timeoutMs - (performance.now() - startedAt)),
    signal,
  });
  const byWords = (reasons: readonly DegradedReason[]) => findByWords(deps, task, reasons, readOptions());
  if (task.cursor !== undefined) return byWords(task.cursor.reasons ?? []);
  const guarded = { accountId, requestId, signal, timeoutMs: deps.timeoutMs / 4, mayMiss: deps.mayMissHalf };
  const terms =
    (await guardHalf(deps.logger, guarded, () => readSemanticTerms(deps, { accountId, text: task.meaning.text }))) ??
    UNREADABLE;
  const { corpus } = terms;
  const [found, progress = UNKNOWN_PROGRESS] = await Promise.all([
    terms.kind === 'missing' && task.fusedCursor === undefined
      ? terms
      : findByBoth(deps, { task, terms, requestId }, readOptions()),
    corpus && guardHalf(deps.logger, guarded, () => describeProgress(deps.db, accountId, corpus)),
  ]);
  const page = found.kind === 'found' ? found.page : await byWords(found.reasons);
  return {
    ...page,
    embeddedThrough: progress.embeddedThrough,
    reasons: [...new Set([...page.reasons, ...progress.reasons])],
  };
}
