import type { AnswerBody } from '@steward/http';
import type { EmbeddingState } from '@steward/search';
import type { EmbeddingSettingAnswer } from './embedding-schemas.ts';

type Deployment = { readonly embeddingEnabled: boolean; readonly embeddingDailyCapUsd: number };

export function presentEmbeddingSetting(
  { setting, spentTodayUsd, dimensions, corpus }: EmbeddingState,
  deployment: Deployment,
): AnswerBody<typeof EmbeddingSettingAnswer> {
  return {
    enabled: setting.isEnabled,
    scope: setting.scope,
    provider: setting.provider,
    model_identifier: setting.modelIdentifier,
    base_url: setting.baseUrl,
    dimensions,
    daily_cap_usd: setting.dailyCapUsd,
    deployment_daily_cap_usd: deployment.embeddingDailyCapUsd,
    deployment_embedding_enabled: deployment.embeddingEnabled,
    has_api_key: setting.hasApiKey,
    spent_today_usd: spentTodayUsd,
    degraded_reason: setting.degradedReason,
    degraded_at: setting.degradedAt,
    corpus: {
      chunks: corpus.chunks,
      eligible: corpus.eligible,
      embedded: corpus.embedded,
      pending: corpus.pending,
      failed: corpus.failed,
      other_model: corpus.otherModel,
      embedded_through: corpus.embeddedThrough,
    },
  };
}
