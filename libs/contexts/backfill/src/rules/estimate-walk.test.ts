import { estimateChunks, estimateSeconds } from './estimate-walk.ts';

const SHIPPED = { intervalSeconds: 900, maxRowsPerPass: 2000, maxRowsPerAccount: 500 };

describe('the estimated duration of a backfill (CORP-21)', () => {
  it.each([
    ['uses the default of 2000 rows an hour', SHIPPED, 3600],
    ['uses the rows of a pass if they are fewer', { ...SHIPPED, maxRowsPerPass: 250 }, 7200],
    ['uses longer intervals', { ...SHIPPED, intervalSeconds: 1800 }, 7200],
  ])('%s', (_what, pace, expected) => {
    expect(estimateSeconds({ sessionsWithoutChunks: 100, chunksPerSession: 20 }, pace)).toBe(expected);
  });

  it('is zero when nothing is left', () => {
    expect(estimateSeconds({ sessionsWithoutChunks: 0, chunksPerSession: 20 }, SHIPPED)).toBe(0);
  });

  it.each([
    [0, 1],
    [1000, 1],
    [1001, 2],
    [10_000_000, 64],
  ])('counts %i bytes as %i chunks', (sizeBytes, chunks) => {
    expect(estimateChunks(sizeBytes)).toBe(chunks);
  });
});
