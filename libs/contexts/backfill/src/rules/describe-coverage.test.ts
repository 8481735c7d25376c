import { describeCoverage, type CoverageFacts } from './describe-coverage.ts';

const at = (day: number) => new Date(Date.UTC(2026, 9, day));
const window = {
  oldest: at(1),
  newest: at(20),
  metadataOnlyFrom: null,
  metadataOnlyThrough: null,
  truncatedSources: 0,
};
const walk = (facts: Partial<NonNullable<CoverageFacts['watermark']>>): CoverageFacts['watermark'] => ({
  state: 'in_progress',
  walkGeneration: 25,
  indexedFrom: null,
  ...facts,
});
const unindexed = (storedOn: number, occurredOn: number) => ({
  generation: storedOn,
  latestOccurredAt: at(occurredOn),
});

describe('the coverage of a corpus', () => {
  it('includes everything for an account that was always indexed', () => {
    expect(describeCoverage({ window, watermark: undefined, unindexed: undefined })).toEqual({
      indexedFrom: at(1),
      indexedThrough: at(20),
      backfillState: 'complete',
      backfillComplete: true,
      metadataOnlyFrom: null,
      metadataOnlyThrough: null,
      truncatedSources: 0,
    });
  });

  it('is complete for an account that has no content yet', () => {
    const empty = { ...window, oldest: null, newest: null };
    expect(describeCoverage({ window: empty, watermark: undefined, unindexed: undefined })).toMatchObject({
      backfillState: 'complete',
      backfillComplete: true,
      indexedFrom: null,
    });
  });

  it('begins after content that was stored without being indexed, whatever older titles exist', () => {
    const coverage = describeCoverage({ window, watermark: undefined, unindexed: unindexed(12, 10) });
    expect([coverage.backfillState, coverage.indexedFrom]).toEqual(['not_started', at(10)]);
  });

  it('moves backwards with the backfill', () => {
    const facts = { window, unindexed: unindexed(12, 10) };
    const coverage = describeCoverage({ ...facts, watermark: walk({ indexedFrom: at(5) }) });
    expect([coverage.backfillState, coverage.indexedFrom]).toEqual(['in_progress', at(5)]);
  });

  it('is complete when the backfill is complete, but no longer when content is then stored without being indexed', () => {
    const watermark = walk({ state: 'complete' });
    expect(describeCoverage({ window, watermark, unindexed: unindexed(12, 10) })).toMatchObject({
      backfillComplete: true,
      indexedFrom: at(1),
    });
    expect(describeCoverage({ window, watermark, unindexed: unindexed(26, 18) })).toMatchObject({
      backfillState: 'in_progress',
      backfillComplete: false,
      indexedFrom: at(18),
    });
  });

  it('ends at the age limit of a complete backfill', () => {
    const watermark = walk({ state: 'complete', indexedFrom: at(3) });
    expect(describeCoverage({ window, watermark, unindexed: unindexed(12, 10) }).indexedFrom).toEqual(at(3));
  });

  it('is empty without chunks', () => {
    const empty = { ...window, oldest: null, newest: null };
    const coverage = describeCoverage({ window: empty, watermark: undefined, unindexed: unindexed(12, 10) });
    expect([coverage.indexedFrom, coverage.indexedThrough]).toEqual([null, null]);
  });
});
