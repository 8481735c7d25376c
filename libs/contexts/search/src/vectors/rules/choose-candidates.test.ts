import type { NearestChunk } from '../nearest-chunk.ts';
import { chooseCandidates } from './choose-candidates.ts';

const near = (sessionId: string, similarity: number): NearestChunk => ({
  chunkId: `${sessionId}-${similarity}`,
  sessionId,
  similarity,
  occurredAt: new Date(0),
});

describe('chooseCandidates', () => {
  it('prefers a session found by every probe to one that is very close to a single probe', () => {
    const found = [
      [near('boilerplate', 1), near('alike', 0.9), near('other', 0.2)],
      [near('alike', 0.9), near('third', 0.3)],
    ];
    expect(chooseCandidates(found, 2)).toEqual(['alike', 'boilerplate']);
  });

  it('counts the nearest chunk of a session once per probe', () => {
    expect(chooseCandidates([[near('b', 0.8), near('a', 0.7), near('a', 0.7), near('a', 0.6)]], 5)).toEqual(['b', 'a']);
  });

  it('has a stable order for equal candidates', () => {
    expect(chooseCandidates([[near('b', 0.5), near('a', 0.5)]], 1)).toEqual(['a']);
    expect(chooseCandidates([], 3)).toEqual([]);
  });
});
