import { SEARCH_MODES } from '@steward/contracts';
import { describeRanking } from './describe-ranking.ts';

const FUSION = { constant: 20, keywordWeight: 1, semanticWeight: 1, depth: 100 };
const MODEL = { provider: 'p', baseUrl: 'https://models.example.com', modelIdentifier: 'model-a' };

describe('the identity of a ranking (SRCH-76)', () => {
  it('is constant per mode', () => {
    const names = SEARCH_MODES.map((mode) => describeRanking(mode, FUSION, MODEL));
    expect(new Set(names).size).toBe(SEARCH_MODES.length);
    expect(SEARCH_MODES.map((mode) => describeRanking(mode, { ...FUSION }, { ...MODEL }))).toEqual(names);
    for (const name of names) expect(name).toMatch(/^[a-z]+-[0-9a-f]{12}$/);
  });

  it.each(Object.entries(FUSION))(
    'changes with the %s of the fusion for hybrid searches, and for no other mode',
    (name, value) => {
      const other = { ...FUSION, [name]: value + 1 };
      const changed = SEARCH_MODES.filter(
        (mode) => describeRanking(mode, other, MODEL) !== describeRanking(mode, FUSION, MODEL),
      );
      expect(changed).toEqual(['hybrid']);
    },
  );

  it.each([undefined, ...Object.entries(MODEL).map(([name, value]) => ({ ...MODEL, [name]: `${value}-b` }))])(
    'changes for searches that use embeddings if the model is %j',
    (other) => {
      const changed = SEARCH_MODES.filter(
        (mode) => describeRanking(mode, FUSION, other) !== describeRanking(mode, FUSION, MODEL),
      );
      expect(changed.toSorted()).toEqual(['hybrid', 'semantic']);
    },
  );
});
