import { searchKeywords, type KeywordSearchPage, type SearchOptions, type SessionMatch } from '@steward/slice-search';
import type { GatewayDeps } from '../../gateway-deps.ts';
import type { IdentifierLane } from './identifier-lane.ts';
import type { SearchTask } from './read-search-request.ts';

/** What the words match in a session of the identifier lane, and the search that found it. */
export interface NamedMatch {
  readonly page: KeywordSearchPage;
  readonly match: SessionMatch;
}

/**
 * Looks up what the words match in the sessions of the lane; those without a match are missing. A session the page does
 * not show is searched by itself: it may be ranked far behind.
 */
export async function findNamedMatches(
  deps: Pick<GatewayDeps, 'searchPools'>,
  search: { readonly task: SearchTask; readonly lane: IdentifierLane; readonly page: KeywordSearchPage },
  options: SearchOptions,
): Promise<ReadonlyMap<string, NamedMatch>> {
  const { task, lane, page } = search;
  const { input, cursor } = task;
  const matches = new Map<string, NamedMatch>();
  const isWhole = input.offset === 0 && cursor === undefined && page.sessions.length <= input.limit;
  const wanted = cursor === undefined ? lane.ids : lane.sessions.map((session) => session.id);
  for (const id of wanted) {
    const match = page.sessions.slice(0, input.limit).find((each) => each.sessionId === id);
    const own =
      match === undefined && !(isWhole && page.totalIsExact) ? await searchOne(deps, task, id, options) : page;
    const found = match ?? own.sessions.find((each) => each.sessionId === id);
    if (found !== undefined) matches.set(id, { page: own, match: found });
  }
  return matches;
}

function searchOne(
  deps: Pick<GatewayDeps, 'searchPools'>,
  { input }: SearchTask,
  sessionId: string,
  options: SearchOptions,
): Promise<KeywordSearchPage> {
  const filter = { ...input.filter, sessionId };
  return searchKeywords(
    deps.searchPools,
    { ...input, filter, limit: 1, offset: 0, after: undefined, plan: undefined },
    options,
  );
}
