/** Why a part of a search did not run, and the sentence an answer says it with. Keyword results are complete in any case. */
export const DEGRADED_REASONS = {
  semantic_not_enabled: 'The account has not switched semantic search on; keyword results are complete.',
  semantic_disabled_by_deployment: 'Semantic search is switched off on this deployment; keyword results are complete.',
  semantic_daily_cap_reached:
    'What the account may spend on embeddings today is spent; new content waits for tomorrow.',
  semantic_provider_error: 'The provider of embeddings did not answer; keyword results are complete.',
  semantic_provider_misconfigured: 'The settings name no provider or model of embeddings that can be used.',
  semantic_model_mismatch: 'The stored vectors were made by another model than the one that read the query.',
  semantic_no_vectors: 'The account has no vectors yet; keyword results are complete.',
  semantic_backfill_incomplete: 'Some of the content still waits for its vectors.',
  fusion_candidates_truncated: 'A list of candidates was cut at its depth; a page cannot show what is behind it.',
} as const;

export type DegradedReason = keyof typeof DEGRADED_REASONS;
