import { DEGRADED_REASONS, type DegradedReason } from '@steward/contracts';
import type { Degraded } from '../search-answer.ts';

/** Keyword results are never degraded; for the semantic half, a reason that a person can resolve comes first. */
export function describeDegraded(reasons: readonly DegradedReason[]): Degraded {
  const [first] = reasons;
  return {
    keyword: false,
    semantic: first !== undefined,
    reasons,
    detail: first === undefined ? null : DEGRADED_REASONS[first],
  };
}
