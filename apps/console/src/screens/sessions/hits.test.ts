import { findNeighbour, type Hit } from './hits.ts';

const HITS: readonly Hit[] = [
  { sessionId: 's', at: 'a' },
  { sessionId: 's', at: 'b' },
  { sessionId: 't', at: 'a' },
];

describe('the next search hit', () => {
  it.each([
    [{ sessionId: 's', at: 'a' }, 1, HITS[1]],
    [{ sessionId: 's', at: 'b' }, 1, HITS[2]],
    [{ sessionId: 't', at: 'a' }, 1, undefined],
    [{ sessionId: 't', at: 'a' }, -1, HITS[1]],
    [{ sessionId: 's', at: 'a' }, -1, undefined],
    [{ sessionId: 's' }, 1, undefined],
  ] as const)('is found from %j in direction %d', (from, step, expected) => {
    expect(findNeighbour(HITS, from, step)).toEqual(expected);
  });
});
