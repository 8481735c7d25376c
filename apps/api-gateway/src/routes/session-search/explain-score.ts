import { RANKING, unquoteTerm, type KeywordSearchPage, type Snippet } from '@steward/slice-search';

const CHUNK_WEIGHTS = [1, RANKING.secondChunkWeight, RANKING.thirdChunkWeight] as const;

/** The parts of one session's score: its best chunks, and what each word adds to them. */
export function explainScore(page: KeywordSearchPage, chunks: readonly Snippet[]): object {
  const terms = page.terms.map(({ term, idf }) => ({ term: unquoteTerm(term), idf }));
  return {
    retrieval: page.plan.arm,
    terms,
    chunks: CHUNK_WEIGHTS.flatMap((weight, place) => {
      const chunk = chunks[place];
      return chunk === undefined
        ? []
        : [
            {
              document_id: chunk.documentId,
              weight,
              title_bonus: chunk.sourceKind === 'session_summary' ? RANKING.titleBonus : 0,
              terms: terms.map(({ term, idf }, index) => {
                const rank = chunk.termRanks[index] ?? 0;
                return { term, rank, contribution: idf * rank };
              }),
            },
          ];
    }),
  };
}
