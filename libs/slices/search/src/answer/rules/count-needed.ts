import { isUuid } from '@steward/crypto';
import { MAX_NAMED } from '../identifier-lane.ts';
import type { SearchTask } from './read-search-task.ts';

/**
 * Sessions that each half of a search looks for, where more would take longer: as many as are shown by the end of the page, besides
 * named ones, and one that says whether there are more. What one half alone has behind these comes before none of them.
 */
export function countNeeded(
  { query, input, fusedCursor }: Pick<SearchTask, 'query' | 'input' | 'fusedCursor'>,
  depth: number,
): number {
  // It may be the id of a key, and name as many sessions as a page is long: these are not shown twice.
  if (isUuid(query)) return depth;
  const shown = fusedCursor?.shown.length ?? 0;
  return Math.min(depth, shown + input.offset + input.limit + MAX_NAMED + 1);
}
