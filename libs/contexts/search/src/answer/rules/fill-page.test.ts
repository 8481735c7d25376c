import type { KeywordSearchPage } from '../../keyword/keyword-search.ts';
import type { IdentifierLane } from '../identifier-lane.ts';
import type { SearchedSession } from '../search-ports.ts';
import { fillPage } from './fill-page.ts';
import { readSearchTask } from './read-search-task.ts';
import { decodeSearchCursor } from './search-cursor.ts';

const ACCOUNT = '01a1fd83-e0f6-74f3-a4d4-000000000000';
const id = (number: number) => `01a1fd83-e0f6-74f3-a4d4-${String(number).padStart(12, '0')}`;
const task = (limit: number) => readSearchTask({ query: 'word', limit }, ACCOUNT);
const match = (number: number) => ({
  sessionId: id(number),
  score: 1 / number,
  matchedChunkCount: 1,
  firstMatchAt: new Date(0),
  lastMatchAt: new Date(0),
});
const page = (...numbers: number[]): KeywordSearchPage => ({
  sessions: numbers.map(match),
  snippets: [],
  total: numbers.length,
  totalIsExact: true,
  asOf: new Date(0),
  plan: { arm: 'all' },
  terms: [],
  shown: [],
});
const lane = (...numbers: number[]): IdentifierLane => ({
  ids: numbers.map(id),
  shown: 0,
  sessions: numbers.map((number) => ({ id: id(number) }) as SearchedSession),
  isWhole: true,
});
const shown = (filled: ReturnType<typeof fillPage>) => filled.ranked.map(({ sessionId }) => sessionId);

describe('a page of a search', () => {
  it('ends with the last match, and then has no cursor', () => {
    const filled = fillPage(task(3), lane(), { page: page(1, 2, 3), unmatched: 0 });
    expect([shown(filled), filled.nextCursor]).toEqual([[id(1), id(2), id(3)], null]);
  });

  it('reserves space for the named sessions, and repeats none of them', () => {
    const filled = fillPage(task(3), lane(2), { page: page(1, 2, 3), unmatched: 0 });
    expect(shown(filled)).toEqual([id(1), id(3)]);
    expect(filled.nextCursor).toBeNull();
  });

  it('continues after the last session it shows', () => {
    const first = task(2);
    const { ranked, nextCursor } = fillPage(first, lane(), { page: page(1, 2, 3), unmatched: 0 });
    expect(ranked).toHaveLength(2);
    expect(decodeSearchCursor(first.input, nextCursor ?? '').after?.sessionId).toBe(id(2));
  });

  it('has a next page if named sessions displaced ranked ones', () => {
    const first = task(2);
    const { ranked, nextCursor } = fillPage(first, lane(9), { page: page(1, 2), unmatched: 1 });
    expect(ranked.map(({ sessionId }) => sessionId)).toEqual([id(1)]);
    const cursor = decodeSearchCursor(first.input, nextCursor ?? '');
    expect([cursor.after?.sessionId, cursor.namedIds, cursor.namedShown]).toEqual([id(1), [id(9)], 1]);
  });
});
