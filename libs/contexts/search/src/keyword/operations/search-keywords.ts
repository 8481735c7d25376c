import { AppError } from '@steward/contracts';
import { runCancellable, type CancellablePools } from '@steward/database';
import { rethrowTimeout } from '../../rethrow-timeout.ts';
import { normaliseAccents } from '../../words/fold-text.ts';
import type { KeywordSearchInput, KeywordSearchPage, SearchKeywords, Snippet } from '../keyword-search.ts';
import { buildSnippet, createTermMatcher } from '../rules/build-snippet.ts';
import { isPlainQuery } from '../rules/keyword-query.ts';
import { unquoteTerm } from '../rules/query-terms.ts';
import type { SnippetRow } from '../store/page-rows.store.ts';
import { parseQuery } from '../store/parse-query.store.ts';
import { createRowEstimates } from '../store/row-estimate.store.ts';
import { findSessionPage } from '../store/session-page.store.ts';
import { findFullPage } from './find-full-page.ts';
import { planSearch, type SearchDeps } from './plan-search.ts';

/**
 * A session's score is computed from its best three chunks, so an explanation needs them regardless of the number of
 * snippets requested.
 */
const SCORED_CHUNKS = 3;

/**
 * Creates the keyword search on these connections. The work is bounded for any query: a sample of the newest rows shows
 * how common its words are, at most a fixed number of chunks is ranked, and snippets are created only for the page.
 */
export function createSearchKeywords(pools: CancellablePools): SearchKeywords {
  const estimates = createRowEstimates();
  return (input, options) =>
    runCancellable(pools, options, (client) => search({ client, estimates }, input)).catch(rethrowTimeout);
}

async function search(deps: SearchDeps, input: KeywordSearchInput): Promise<KeywordSearchPage> {
  const { client } = deps;
  const relaxed = input.strictness === 'any_word' && isPlainQuery(input.query);
  const parsed = await parseQuery(client, input.query, relaxed);
  if (parsed === undefined) throw new AppError('query_has_no_terms');
  const planned = await planSearch(deps, input, { parsed, relaxed });
  const { scope, terms } = planned;
  const { limit, offset, after, explain = false, maxSnippetsPerSession } = input;
  const maxChunksPerSession = Math.max(maxSnippetsPerSession, explain ? SCORED_CHUNKS : 0);
  const { includeSnippetText: includeText } = input;
  const request = { ...scope, terms, limit, offset, after, maxChunksPerSession, includeText, explain };
  const { plan: former, enough } = input;
  const { page, plan } =
    former === undefined || enough !== undefined
      ? await findFullPage(deps, { ...request, enough, plan: former ?? planned.plan }, planned.sample)
      : { page: await findSessionPage(client, { ...request, plan: former }), plan: former };
  const shown = parsed.shown ?? parsed.terms.map(unquoteTerm);
  return {
    sessions: page.sessions,
    snippets: presentSnippets(page.snippets, shown),
    total: page.matchedSessions,
    totalIsExact: page.isExact,
    asOf: input.asOf ?? planned.now,
    plan,
    terms,
    shown,
  };
}

function presentSnippets(rows: readonly SnippetRow[], shown: readonly string[]): Snippet[] {
  const matcher = createTermMatcher(shown);
  return rows.map(({ content, ...row }) => ({
    ...row,
    html: content === null ? null : buildSnippet(normaliseAccents(content), matcher),
  }));
}
