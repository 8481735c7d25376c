import { groupNearest } from './group-nearest.ts';

const at = (day: number) => new Date(Date.UTC(2026, 9, day));
const chunk = (chunkId: string, sessionId: string, similarity: number, day = 1) => ({
  chunkId,
  sessionId,
  similarity,
  occurredAt: at(day),
});

describe('the sessions of the nearest chunks (SRCH-32)', () => {
  it('rank by their best chunk, regardless of their other chunks', () => {
    const found = groupNearest([
      chunk('1', 'long', 0.7, 2),
      chunk('2', 'short', 0.8),
      chunk('3', 'long', 0.75, 4),
      chunk('4', 'long', 0.6, 3),
    ]);
    expect(found.map(({ sessionId, similarity }) => [sessionId, similarity])).toEqual([
      ['short', 0.8],
      ['long', 0.75],
    ]);
    expect(found[1]?.chunks.map(({ chunkId }) => chunkId)).toEqual(['3', '1', '4']);
    expect(found[1]).toMatchObject({ firstMatchAt: at(2), lastMatchAt: at(4) });
  });

  it('rank by last match and id if equally similar', () => {
    const found = groupNearest([chunk('1', 'a', 0.5), chunk('2', 'b', 0.5), chunk('3', 'c', 0.50000001, 2)]);
    expect(found.map(({ sessionId }) => sessionId)).toEqual(['c', 'b', 'a']);
  });
});
