import type { SearchAnswer } from '../answer/search-answer.ts';
import type { SearchRequest } from '../answer/search-request.ts';

/** Returns all pages of a search by cursor; calls `between` after each. */
export async function readPages(
  ask: (request: SearchRequest) => Promise<SearchAnswer>,
  request: SearchRequest,
  between: (page: SearchAnswer) => unknown = () => undefined,
): Promise<SearchAnswer[]> {
  const pages: SearchAnswer[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await ask(cursor === undefined ? request : { ...request, cursor });
    pages.push(page);
    await between(page);
    if (page.nextCursor === null) return pages;
    cursor = page.nextCursor;
  }
}
