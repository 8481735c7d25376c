import { isUuid } from '@steward/crypto';
import { MAX_NAMED } from '../identifier-lane.ts';
import type { SearchTask } from './read-search-task.ts';

/**
 * Returns the number of sessions after which each half may stop if finding more would take longer: those shown up to
 * the end of the page, the identified ones, and one more that shows whether there is another page.
 */
export function countNeeded(
  { query, input, fusedCursor }: Pick<SearchTask, 'query' | 'input' | 'fusedCursor'>,
  depth: number,
): number {
  // The query may be the id of an API key, which can identify as many sessions as the largest page contains. These
  // sessions must not be shown twice.
  if (isUuid(query)) return depth;
  const shown = fusedCursor?.shown.length ?? 0;
  return Math.min(depth, shown + input.offset + input.limit + MAX_NAMED + 1);
}
