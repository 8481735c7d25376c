import type { KeywordSearchPage, Snippet } from '../../keyword/keyword-search.ts';
import { unquoteTerm } from '../../keyword/rules/query-terms.ts';
import { RANKING } from '../../keyword/rules/ranking.ts';
import type { ScoreExplanation } from '../search-answer.ts';

const CHUNK_WEIGHTS = [1, RANKING.secondChunkWeight, RANKING.thirdChunkWeight] as const;

/** Returns the parts of one session's score: its best chunks, and the contribution of each word. */
export function explainScore(page: KeywordSearchPage, chunks: readonly Snippet[]): ScoreExplanation {
  const terms = page.terms.map(({ term, idf }) => ({ term: unquoteTerm(term), idf }));
  const scored = chunks.slice(0, CHUNK_WEIGHTS.length);
  return {
    retrieval: page.plan.arm,
    terms,
    chunks: scored.map((chunk, place) => ({
      documentId: chunk.documentId,
      weight: CHUNK_WEIGHTS[place] ?? 0,
      titleBonus: chunk.sourceKind === 'session_summary' ? RANKING.titleBonus : 0,
      terms: terms.map(({ term, idf }, index) => {
        const rank = chunk.termRanks[index] ?? 0;
        return { term, rank, contribution: idf * rank };
      }),
    })),
  };
}
