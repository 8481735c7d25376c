import { DEGRADED_REASONS, type DegradedReason } from '@steward/contracts';
import type { Degraded } from '../search-answer.ts';

/** Keyword results are never degraded; for the semantic half the first reason is the one that a person can act on. */
export function describeDegraded(reasons: readonly DegradedReason[]): Degraded {
  const [first] = reasons;
  return {
    keyword: false,
    semantic: first !== undefined,
    reasons,
    detail: first === undefined ? null : DEGRADED_REASONS[first],
  };
}
