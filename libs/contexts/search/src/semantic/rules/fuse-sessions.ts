import type { SessionMatch } from '../../keyword/session-match.ts';
import type { Candidate, FusionSettings, RankShare } from '../candidate.ts';
import type { SemanticMatch } from '../semantic-match.ts';

/**
 * Fuses two lists of sessions by rank, since keyword scores and vector scores are not comparable. A session that is
 * first in both lists scores 1. Sessions are fused rather than chunks, because otherwise long sessions would be
 * preferred in both halves.
 */
export function fuseSessions(
  found: { readonly keyword: readonly SessionMatch[]; readonly semantic: readonly SemanticMatch[] },
  { constant, keywordWeight, semanticWeight }: FusionSettings,
): Candidate[] {
  const share = (place: number, weight: number): RankShare => ({
    rank: place + 1,
    contribution: (weight / (keywordWeight + semanticWeight)) * ((constant + 1) / (constant + place + 1)),
  });
  const keyword = new Map(found.keyword.map((match, place) => [match.sessionId, { match, place }]));
  const semantic = new Map(found.semantic.map((match, place) => [match.sessionId, { match, place }]));
  const candidates = [...new Set([...keyword.keys(), ...semantic.keys()])].map((sessionId) => {
    const words = keyword.get(sessionId);
    const meaning = semantic.get(sessionId);
    const ofWords = words && { score: words.match.score, share: share(words.place, keywordWeight) };
    const ofMeaning = meaning && { similarity: meaning.match.similarity, share: share(meaning.place, semanticWeight) };
    const score = (ofWords?.share.contribution ?? 0) + (ofMeaning?.share.contribution ?? 0);
    return {
      sessionId,
      score: Math.round(score * 1e6) / 1e6,
      ...joinExtents(words?.match, meaning?.match),
      keyword: ofWords,
      semantic: ofMeaning,
    };
  });
  return candidates.sort(
    (a, b) =>
      b.score - a.score || b.lastMatchAt.getTime() - a.lastMatchAt.getTime() || (a.sessionId < b.sessionId ? 1 : -1),
  );
}

/** Returns candidates of the semantic half only; the score of each candidate is its similarity. */
export function rankBySimilarity(found: readonly SemanticMatch[]): Candidate[] {
  return found.map((match, place) => ({
    sessionId: match.sessionId,
    score: match.similarity,
    ...joinExtents(undefined, match),
    keyword: undefined,
    semantic: { similarity: match.similarity, share: { rank: place + 1, contribution: match.similarity } },
  }));
}

/** Returns candidates of the keyword search only. */
export function rankByWords(found: readonly SessionMatch[]): Candidate[] {
  return found.map((match, place) => ({
    sessionId: match.sessionId,
    score: match.score,
    ...joinExtents(match, undefined),
    keyword: { score: match.score, share: { rank: place + 1, contribution: match.score } },
    semantic: undefined,
  }));
}

function joinExtents(words: SessionMatch | undefined, meaning: SemanticMatch | undefined) {
  const extents = [words, meaning].filter((extent) => extent !== undefined);
  return {
    matchedChunkCount: words?.matchedChunkCount ?? meaning?.chunks.length ?? 0,
    firstMatchAt: new Date(Math.min(...extents.map(({ firstMatchAt }) => firstMatchAt.getTime()))),
    lastMatchAt: new Date(Math.max(...extents.map(({ lastMatchAt }) => lastMatchAt.getTime()))),
  };
}
