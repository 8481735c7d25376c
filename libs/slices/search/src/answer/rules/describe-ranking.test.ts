import { SEARCH_MODES } from '@steward/contracts';
import { describeRanking } from './describe-ranking.ts';

const FUSION = { constant: 20, keywordWeight: 1, semanticWeight: 1, depth: 100 };

describe('the name of a ranking (SRCH-76)', () => {
  it('is one for each mode and the same whenever it is asked', () => {
    const names = SEARCH_MODES.map((mode) => describeRanking(mode, FUSION));
    expect(new Set(names).size).toBe(SEARCH_MODES.length);
    expect(SEARCH_MODES.map((mode) => describeRanking(mode, { ...FUSION }))).toEqual(names);
    for (const name of names) expect(name).toMatch(/^[a-z]+-[0-9a-f]{12}$/);
  });

  it.each(Object.entries(FUSION))(
    'is another one for hybrid searches alone when the %s of the fusion is',
    (name, value) => {
      const other = { ...FUSION, [name]: value + 1 };
      const changed = SEARCH_MODES.filter((mode) => describeRanking(mode, other) !== describeRanking(mode, FUSION));
      expect(changed).toEqual(['hybrid']);
    },
  );
});
