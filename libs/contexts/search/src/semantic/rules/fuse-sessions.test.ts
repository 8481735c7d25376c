import fc from 'fast-check';
import type { SessionMatch } from '../../keyword/session-match.ts';
import type { FusionSettings } from '../candidate.ts';
import type { SemanticMatch } from '../semantic-match.ts';
import { fuseSessions, rankBySimilarity, rankByWords } from './fuse-sessions.ts';

const SETTINGS: FusionSettings = { constant: 9, keywordWeight: 3, semanticWeight: 1, depth: 100 };
const at = (day: number) => new Date(Date.UTC(2026, 9, day));
const words = (sessionId: string, score: number, day = 1): SessionMatch => ({
  sessionId,
  score,
  matchedChunkCount: 2,
  firstMatchAt: at(day),
  lastMatchAt: at(day),
});
const meaning = (sessionId: string, similarity: number, day = 1): SemanticMatch => ({
  sessionId,
  similarity,
  chunks: [{ chunkId: `chunk of ${sessionId}`, sessionId, occurredAt: at(day), similarity }],
  firstMatchAt: at(day),
  lastMatchAt: at(day),
});

describe('two lists of sessions, fused by rank (SRCH-34)', () => {
  it('rank sessions found by both lists before those found by one; the first in both lists scores 1', () => {
    const fused = fuseSessions(
      { keyword: [words('a', 5), words('b', 4)], semantic: [meaning('a', 0.9), meaning('c', 0.8)] },
      SETTINGS,
    );
    expect(fused.map(({ sessionId, score }) => [sessionId, score])).toEqual([
      ['a', 1],
      ['b', 0.681818],
      ['c', 0.227273],
    ]);
    expect(fused[0]).toMatchObject({
      keyword: { score: 5, share: { rank: 1, contribution: 0.75 } },
      semantic: { similarity: 0.9, share: { rank: 1, contribution: 0.25 } },
    });
    expect([fused[1]?.semantic, fused[2]?.keyword]).toEqual([undefined, undefined]);
  });

  it('use the first and last match of both lists, and the chunk count of the keyword list, otherwise that of the semantic list', () => {
    const [both, near] = fuseSessions(
      { keyword: [words('a', 5, 3)], semantic: [meaning('a', 0.9, 1), meaning('c', 0.8, 7)] },
      SETTINGS,
    );
    expect(both).toMatchObject({ matchedChunkCount: 2, firstMatchAt: at(1), lastMatchAt: at(3) });
    expect(near).toMatchObject({ matchedChunkCount: 1, firstMatchAt: at(7), lastMatchAt: at(7) });
  });

  it('are ordered by score, last match and id', () => {
    const even = { ...SETTINGS, keywordWeight: 1 };
    const fused = fuseSessions({ keyword: [words('a', 5, 1)], semantic: [meaning('b', 0.9, 2)] }, even);
    expect(fused.map(({ sessionId }) => sessionId)).toEqual(['b', 'a']);
    const twins = fuseSessions({ keyword: [words('a', 5)], semantic: [meaning('b', 0.9)] }, even);
    expect(twins.map(({ sessionId }) => sessionId)).toEqual(['b', 'a']);
  });

  it('contain each session once, with scores that are the sum of their parts, at most 1 and in descending order', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghij'));
    const weight = fc.double({ min: 0.001, max: 1000, noNaN: true });
    fc.assert(
      fc.property(ids, ids, weight, weight, fc.nat(1000), (left, right, keywordWeight, semanticWeight, constant) => {
        const settings = { ...SETTINGS, keywordWeight, semanticWeight, constant };
        const found = {
          keyword: left.map((id, place) => words(id, 100 - place)),
          semantic: right.map((id, place) => meaning(id, 1 - place / 100)),
        };
        const fused = fuseSessions(found, settings);
        expect(fused.map(({ sessionId }) => sessionId).sort()).toEqual([...new Set([...left, ...right])].sort());
        for (const [place, { score, keyword, semantic }] of fused.entries()) {
          const sum = (keyword?.share.contribution ?? 0) + (semantic?.share.contribution ?? 0);
          expect(score).toBeCloseTo(sum, 5);
          expect(score).toBeLessThanOrEqual(fused[place - 1]?.score ?? 1);
        }
      }),
    );
  });
});

describe('a list of only one half', () => {
  it('uses the similarity or the keyword score as its score', () => {
    expect(rankBySimilarity([meaning('a', 0.9)])).toMatchObject([
      { sessionId: 'a', score: 0.9, keyword: undefined, semantic: { similarity: 0.9, share: { rank: 1 } } },
    ]);
    expect(rankByWords([words('a', 5)])).toMatchObject([
      { sessionId: 'a', score: 5, keyword: { score: 5, share: { rank: 1 } }, semantic: undefined },
    ]);
  });
});
