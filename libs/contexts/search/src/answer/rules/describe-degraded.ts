import { DEGRADED_REASONS, type DegradedReason } from '@steward/contracts';
import type { Degraded } from '../search-answer.ts';

/**
 * Returns which halves are degraded and why, with a description of the first reason. Keyword results are never
 * degraded.
 */
export function describeDegraded(reasons: readonly DegradedReason[]): Degraded {
  const [first] = reasons;
  return {
    keyword: false,
    semantic: first !== undefined,
    reasons,
    detail: first === undefined ? null : DEGRADED_REASONS[first],
  };
}
