/**
 * Reasons why a part of a search did not run or is incomplete, each with the message for the response. None of these
 * reasons except `fusion_candidates_truncated` affects the keyword results.
 */
export const DEGRADED_REASONS = {
  semantic_not_enabled: 'Semantic search is disabled for the account; keyword results are complete.',
  semantic_disabled_by_deployment: 'Semantic search is disabled in this deployment; keyword results are complete.',
  semantic_daily_cap_reached: 'The account has reached its embedding cap for today; new content is embedded tomorrow.',
  semantic_provider_error: 'The embedding provider reported an error or did not respond; keyword results are complete.',
  semantic_provider_misconfigured: 'The settings do not name a usable embedding provider or model.',
  semantic_model_mismatch: 'The stored vectors were created with a different model than the vector of the query.',
  semantic_no_vectors: 'The account has no vectors yet; keyword results are complete.',
  semantic_backfill_incomplete: 'Some of the content has no vectors yet.',
  fusion_candidates_truncated: 'A candidate list reached its depth limit; pages cannot show results beyond it.',
} as const;

export type DegradedReason = keyof typeof DEGRADED_REASONS;
