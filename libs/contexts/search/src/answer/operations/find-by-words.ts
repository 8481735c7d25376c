import type { DegradedReason } from '@steward/contracts';
import type { CancellableOptions } from '@steward/database';
import type { KeywordSearchPage } from '../../keyword/keyword-search.ts';
import type { SessionMatch } from '../../keyword/session-match.ts';
import type { FoundPage } from '../found-page.ts';
import type { IdentifierLane } from '../identifier-lane.ts';
import { explainScore } from '../rules/explain-score.ts';
import { fillPage } from '../rules/fill-page.ts';
import type { SearchTask } from '../rules/read-search-task.ts';
import { maskTitle } from '../rules/mask-title.ts';
import type { SearchResult } from '../search-answer.ts';
import type { AnswerDeps } from './answer-search.ts';
import { findNamedMatches, type NamedMatch } from './find-named-matches.ts';
import { readIdentifierLane } from './read-identifier-lane.ts';

/**
 * Returns a page of the keyword search.
 *
 * @param reasons - Reasons why only keywords were searched; undefined if nothing else was requested.
 */
export async function findByWords(
  deps: AnswerDeps,
  task: SearchTask,
  reasons: readonly DegradedReason[] | undefined,
  options: CancellableOptions,
): Promise<FoundPage> {
  const found = await findAll(deps, task, options);
  const { lane, page, unmatched } = found;
  const { ranked, nextCursor } = fillPage(task, lane, { page, unmatched, reasons });
  return {
    effectiveMode: 'keyword',
    results: await buildResults(deps, task, { ...found, ranked }),
    total: page.total + unmatched,
    totalIsExact: page.totalIsExact && lane.isWhole,
    nextCursor,
    reasons: reasons ?? [],
  };
}

interface Found {
  readonly lane: IdentifierLane;
  readonly page: KeywordSearchPage;
  readonly named: ReadonlyMap<string, NamedMatch>;
  /**
   * Number of sessions of the identifier lane that do not match the words; the total includes them in addition to the
   * ranked sessions.
   */
  readonly unmatched: number;
}

async function findAll(deps: AnswerDeps, task: SearchTask, options: CancellableOptions): Promise<Found> {
  const { input, cursor } = task;
  const [page, lane] = await Promise.all([
    deps.searchKeywords(input, options),
    readIdentifierLane(deps, task, options),
  ]);
  const named = await findNamedMatches(deps.searchKeywords, { task, lane, page }, options);
  const unmatched = cursor?.namedUnmatched ?? lane.ids.length - named.size;
  const start = startOfRanked(input.offset, lane, unmatched);
  // A second search is rarely needed: only if the query is an identifier and a later page is requested by offset.
  const moved = start === input.offset ? page : await deps.searchKeywords({ ...input, offset: start }, options);
  return { lane, page: moved, named, unmatched };
}

/** Returns the offset among the ranked sessions: the sessions of the lane precede them, and are counted first. */
function startOfRanked(offset: number, lane: IdentifierLane, unmatched: number): number {
  return offset < lane.ids.length ? 0 : offset - unmatched;
}

/** Returns the results of a page: identified sessions come first, followed by the ranked ones. */
async function buildResults(
  deps: Pick<AnswerDeps, 'readSessionHeadings'>,
  { input }: SearchTask,
  found: Found & { readonly ranked: readonly SessionMatch[] },
): Promise<SearchResult[]> {
  const { page, ranked } = found;
  const sessions = await deps.readSessionHeadings({
    accountId: input.accountId,
    sessionIds: ranked.map((match) => match.sessionId),
  });
  const show = (source: KeywordSearchPage, sessionId: string, match: SessionMatch | undefined) => {
    const chunks = source.snippets.filter((snippet) => snippet.sessionId === sessionId);
    return {
      match,
      keywordScore: match?.score ?? null,
      similarity: null,
      snippets: chunks
        .slice(0, input.maxSnippetsPerSession)
        .map((chunk) => ({ ...chunk, matchReason: 'keyword' as const, similarity: null })),
      explanation: input.explain === true ? explainScore(source, chunks) : undefined,
    };
  };
  // Items are ordered by score, so an identified session gets at least the highest score of any keyword match.
  const score = Math.max(1, page.sessions[0]?.score ?? 0);
  const first = found.lane.sessions.map((session): SearchResult => {
    const own = found.named.get(session.id);
    const shown = show(own?.page ?? page, session.id, own?.match);
    return { session: maskTitle(session), score, matchReason: 'identifier', ...shown };
  });
  const rest = ranked.flatMap((match): SearchResult[] => {
    const session = sessions.get(match.sessionId);
    if (session === undefined) return [];
    const shown = show(page, match.sessionId, match);
    return [{ session: maskTitle(session), score: match.score, matchReason: 'keyword', ...shown }];
  });
  return [...first, ...rest];
}
