import fc from 'fast-check';
import type { Candidate } from '../../semantic/candidate.ts';
import type { IdentifierLane } from '../identifier-lane.ts';
import type { SearchedSession } from '../search-ports.ts';
import { fillFusedPage } from './fill-fused-page.ts';
import type { FusedCursor } from './fused-cursor.ts';
import { readSearchTask } from './read-search-task.ts';

const ACCOUNT = '01a1fd83-e0f6-74f3-a4d4-000000000000';
const id = (number: number) => `01a1fd83-e0f6-74f3-a4d4-${String(number).padStart(12, '0')}`;
const candidate = (number: number): Candidate => ({
  sessionId: id(number),
  score: 1 / number,
  matchedChunkCount: 1,
  firstMatchAt: new Date(0),
  lastMatchAt: new Date(0),
  keyword: undefined,
  semantic: undefined,
});
const list = (count: number) => Array.from({ length: count }, (_, place) => candidate(place + 1));
const lane = (ids: readonly string[], shown: number, limit: number): IdentifierLane => ({
  ids,
  shown,
  sessions: ids.slice(shown, shown + limit).map((named) => ({ id: named }) as SearchedSession),
  isWhole: true,
});

function fill(
  page: { limit: number; offset?: number; cursor?: Pick<FusedCursor, 'shown' | 'namedShown'> },
  named: readonly string[],
  candidates: readonly Candidate[],
) {
  const { limit, offset = 0, cursor } = page;
  const { input } = readSearchTask({ query: 'word', mode: 'hybrid', limit, offset }, ACCOUNT);
  const fusedCursor = cursor && { asOf: new Date(0), plan: undefined, namedIds: named, ...cursor };
  const laneShown = cursor?.namedShown ?? Math.min(offset, named.length);
  const shownLane = lane(named, laneShown, limit);
  const filled = fillFusedPage({ input, fusedCursor }, shownLane, candidates);
  return {
    ...filled,
    ids: [...shownLane.sessions.map((session) => session.id), ...filled.ranked.map(({ sessionId }) => sessionId)],
    cursor: { shown: filled.shown, namedShown: laneShown + shownLane.sessions.length },
  };
}

/** Returns all pages of a list, each taken from the current state of the list. */
function readPages(limit: number, named: readonly string[], lists: (page: number) => readonly Candidate[]): string[] {
  const seen: string[] = [];
  for (let page = 0, cursor: { shown: readonly string[]; namedShown: number } | undefined; ; page += 1) {
    const filled = fill({ limit, ...(cursor === undefined ? {} : { cursor }) }, named, lists(page));
    seen.push(...filled.ids);
    if (!filled.hasMore) return seen;
    cursor = filled.cursor;
  }
}

describe('a page of a fused list (SRCH-36)', () => {
  it('reports the total, and is empty beyond the total', () => {
    expect(fill({ limit: 2 }, [], list(5))).toMatchObject({ ids: [id(1), id(2)], total: 5, hasMore: true });
    expect(fill({ limit: 2, offset: 4 }, [], list(5))).toMatchObject({ ids: [id(5)], total: 5, hasMore: false });
    expect(fill({ limit: 2, offset: 9 }, [], list(5))).toMatchObject({ ids: [], total: 5, hasMore: false });
  });

  it('begins with the sessions named by the query, and repeats none of them', () => {
    const named = [id(2), id(9)];
    expect(fill({ limit: 3 }, named, list(3))).toMatchObject({ ids: [id(2), id(9), id(1)], total: 4, hasMore: true });
    expect(fill({ limit: 3, offset: 1 }, named, list(3)).ids).toEqual([id(9), id(1), id(3)]);
    expect(fill({ limit: 3, offset: 3 }, named, list(3)).ids).toEqual([id(3)]);
  });

  it('shows each session once over all pages, with a cursor and with an offset', () => {
    fc.assert(
      fc.property(
        fc.nat(30),
        fc.integer({ min: 1, max: 7 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 5 }),
        (count, limit, names) => {
          const named = names.map(id);
          const whole = [
            ...named,
            ...list(count)
              .map(({ sessionId }) => sessionId)
              .filter((each) => !named.includes(each)),
          ];
          expect(readPages(limit, named, () => list(count))).toEqual(whole);
          const byOffset = Array.from(
            { length: Math.ceil(whole.length / limit) },
            (_, page) => fill({ limit, offset: page * limit }, named, list(count)).ids,
          );
          expect(byOffset.flat()).toEqual(whole);
        },
      ),
    );
  });

  it('does not repeat or omit sessions even if the list is reordered every time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 5 }),
        fc.infiniteStream(fc.nat()),
        (count, limit, seeds) => {
          const orders = Array.from({ length: count + 1 }, () => seeds.next().value ?? 0);
          const seen = readPages(limit, [], (page) => {
            const seed = orders[page] ?? 0;
            const items = list(count);
            return [...items.slice(seed % count), ...items.slice(0, seed % count)];
          });
          expect([...seen].sort()).toEqual(
            list(count)
              .map(({ sessionId }) => sessionId)
              .sort(),
          );
        },
      ),
    );
  });
});
