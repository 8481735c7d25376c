import type { KeywordSearchPage } from '../../keyword/keyword-search.ts';
import type { Candidate, FusionSettings, RankShare } from '../../semantic/candidate.ts';
import type { HalfExplanation, ScoreExplanation } from '../search-answer.ts';
import { explainScore } from './explain-score.ts';

/**
 * Returns the parts of a score: the contribution of each half that found the session, and the parts of the keyword
 * score.
 */
export function explainFusion(
  candidate: Candidate | undefined,
  words: KeywordSearchPage | undefined,
  { constant, keywordWeight, semanticWeight }: FusionSettings,
): ScoreExplanation {
  const chunks = words?.snippets.filter(({ sessionId }) => sessionId === candidate?.sessionId) ?? [];
  const byWords = words === undefined ? undefined : explainScore(words, chunks);
  return {
    ...(byWords ?? { retrieval: 'vectors', terms: [], chunks: [] }),
    fusion: {
      constant,
      keyword: describe(candidate?.keyword?.share, keywordWeight),
      semantic: describe(candidate?.semantic?.share, semanticWeight),
    },
  };
}

function describe(share: RankShare | undefined, weight: number): HalfExplanation | null {
  return share === undefined ? null : { ...share, weight };
}
