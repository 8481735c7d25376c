import fc from 'fast-check';
import { MAX_NAMED } from '../identifier-lane.ts';
import { countNeeded } from './count-needed.ts';
import type { SearchTask } from './read-search-task.ts';

const count = (depth: number, place: { limit: number; offset?: number; shown?: number; query?: string }): number => {
  const { limit, offset = 0, shown = 0, query = 'heron' } = place;
  const fusedCursor = { shown: Array.from({ length: shown }, () => 'aaaaaaaaaaaa') };
  return countNeeded({ query, input: { limit, offset }, fusedCursor } as unknown as SearchTask, depth);
};

describe('the number of sessions each half of a search looks for (SRCH-37)', () => {
  it('is the number of sessions on this page and the pages before it, plus one, up to the depth limit', () => {
    expect(count(100, { limit: 20 })).toBe(26);
    expect(count(100, { limit: 20, shown: 20 })).toBe(46);
    expect(count(100, { limit: 20, offset: 20 })).toBe(46);
    expect(count(100, { limit: 50, offset: 50 })).toBe(100);
    expect(count(10, { limit: 20 })).toBe(10);
  });

  it('is sufficient to fill the page and to detect a next page, with any number of named sessions', () => {
    const place = fc.record({ limit: fc.integer({ min: 1, max: 50 }), offset: fc.nat(200), shown: fc.nat(200) });
    fc.assert(
      fc.property(place, fc.integer({ min: 10, max: 200 }), (asked, depth) => {
        const end = asked.limit + asked.offset + asked.shown;
        expect(count(depth, asked)).toBeGreaterThanOrEqual(Math.min(depth, end + 1 + MAX_NAMED));
      }),
    );
  });

  it('is the full depth for an id, because it may be the id of a key, which matches more sessions', () => {
    expect(count(100, { limit: 20, query: '0193a6c1-7d2e-7c4f-9a51-3f1b2c3d4e5f' })).toBe(100);
  });
});
