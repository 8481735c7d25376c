import type { SearchAnswer } from '../../api/answers.ts';
import { countSessions, listReservations } from './describe-answer.ts';

const ANSWER = {
  results: [],
  total: 0,
  total_is_exact: true,
  next_cursor: null,
  backfill_complete: true,
  indexed_from: null,
  hint: null,
  degraded: { is_degraded: false, reasons: [] },
} as unknown as SearchAnswer;

describe('the description of a search result', () => {
  it('shows a count as exact only if it is exact in the response', () => {
    expect(countSessions({ ...ANSWER, total: 1 })).toBe('1 session');
    expect(countSessions({ ...ANSWER, total: 10_000, total_is_exact: false })).toBe('At least 10,000 sessions');
  });

  it('explains an empty result, and shows from what time content is searched (WEB-17)', () => {
    expect(listReservations(ANSWER)).toEqual([expect.stringContaining('Only exact word forms match')]);
    expect(listReservations({ ...ANSWER, hint: 'Content is not stored here.' })).toEqual([
      'Content is not stored here.',
    ]);
    expect(listReservations({ ...ANSWER, backfill_complete: false, indexed_from: '2026-03-01T00:00:00Z' }).at(-1)).toBe(
      'Older sessions are still being indexed; only sessions since 1 Mar 2026 are fully searched.',
    );
  });
});
