import { DEGRADED_REASONS } from './degraded-reasons.ts';
import { SEARCH_MODES } from './search-modes.ts';
import { SOURCE_KINDS } from './source-kinds.ts';

describe('what clients of the search switch on', () => {
  it('are the modes (SRCH-4)', () => {
    expect(SEARCH_MODES).toEqual(['keyword', 'semantic', 'hybrid']);
  });

  it('are the kinds of chunks, as the database has them (CORP-2)', () => {
    expect(SOURCE_KINDS.join(' ')).toBe(
      'gateway_interaction tool_call transcript_message operator_note flow_log session_summary',
    );
  });

  it('are the reasons for which a part did not run: those of today and those to come (SRCH-24, SRCH-31)', () => {
    expect(Object.keys(DEGRADED_REASONS)).toEqual([
      'semantic_not_enabled',
      'semantic_disabled_by_deployment',
      'semantic_daily_cap_reached',
      'semantic_provider_error',
      'semantic_provider_misconfigured',
      'semantic_model_mismatch',
      'semantic_no_vectors',
      'semantic_backfill_incomplete',
      'fusion_candidates_truncated',
    ]);
  });

  it.each(Object.entries(DEGRADED_REASONS))('%s says itself in a sentence', (reason, sentence) => {
    expect(reason).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(sentence).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('never is the keyword half: no reason names it (SRCH-23)', () => {
    expect(Object.keys(DEGRADED_REASONS).filter((reason) => reason.startsWith('keyword'))).toEqual([]);
  });

  it('are told from anything else by their names alone: no word stands in two lists', () => {
    const names = [...SEARCH_MODES, ...SOURCE_KINDS, ...Object.keys(DEGRADED_REASONS)];
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
  });
});
