import type { KeywordSearchPage, SearchKeywords, SearchOptions } from '../../keyword/keyword-search.ts';
import type { SessionMatch } from '../../keyword/session-match.ts';
import type { IdentifierLane } from '../identifier-lane.ts';
import type { SearchTask } from '../rules/read-search-task.ts';

/** A keyword match in a session of the identifier lane, and the search page that contains it. */
export interface NamedMatch {
  readonly page: KeywordSearchPage;
  readonly match: SessionMatch;
}

/**
 * Finds the keyword matches in the sessions of the lane; sessions without a match are not included. A session that is
 * not on the page is searched separately, because it may rank far lower.
 */
export async function findNamedMatches(
  searchKeywords: SearchKeywords,
  search: { readonly task: SearchTask; readonly lane: IdentifierLane; readonly page: KeywordSearchPage },
  options: SearchOptions,
): Promise<ReadonlyMap<string, NamedMatch>> {
  const { task, lane, page } = search;
  const { input, cursor } = task;
  const matches = new Map<string, NamedMatch>();
  const isWhole = input.offset === 0 && cursor === undefined && page.sessions.length <= input.limit;
  if (page.total === 0 && page.totalIsExact) return matches;
  const wanted = cursor === undefined ? lane.ids : lane.sessions.map((session) => session.id);
  for (const id of wanted) {
    const match = page.sessions.slice(0, input.limit).find((each) => each.sessionId === id);
    const isElsewhere = match === undefined && !(isWhole && page.totalIsExact);
    const own = isElsewhere ? await searchKeywords(narrowTo(task, id), options) : page;
    const found = match ?? own.sessions.find((each) => each.sessionId === id);
    if (found !== undefined) matches.set(id, { page: own, match: found });
  }
  return matches;
}

function narrowTo({ input }: SearchTask, sessionId: string): SearchTask['input'] {
  const filter = { ...input.filter, sessionId };
  return { ...input, filter, limit: 1, offset: 0, after: undefined, plan: undefined };
}
