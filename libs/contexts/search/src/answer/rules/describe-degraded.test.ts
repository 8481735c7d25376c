import { DEGRADED_REASONS } from '@steward/contracts';
import { describeDegraded } from './describe-degraded.ts';

describe('the part that a search could not run (SRCH-23, SRCH-24)', () => {
  it('is empty if there is no reason', () => {
    expect(describeDegraded([])).toEqual({ keyword: false, semantic: false, reasons: [], detail: null });
  });

  it('is the semantic half, never the keyword half, with all reasons and the description of the first', () => {
    expect(describeDegraded(['semantic_no_vectors', 'semantic_backfill_incomplete'])).toEqual({
      keyword: false,
      semantic: true,
      reasons: ['semantic_no_vectors', 'semantic_backfill_incomplete'],
      detail: DEGRADED_REASONS.semantic_no_vectors,
    });
  });
});
