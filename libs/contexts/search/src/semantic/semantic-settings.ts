import { setting } from '@steward/process';

/** Settings of semantic searches. */
export const semanticSettings = {
  embeddingQueryTimeoutMs: setting.integer('SESSION_EMBEDDING_QUERY_TIMEOUT_MS', {
    default: 800,
    min: 50,
    max: 30_000,
    unit: 'milliseconds',
    description:
      'Time limit for embedding a query, after which the search returns only keyword results (semantic_provider_error).',
  }),
  fusionDepth: setting.integer('SESSION_SEARCH_FUSION_DEPTH', {
    default: 100,
    min: 10,
    max: 200,
    unit: 'sessions',
    description:
      'Number of sessions that a hybrid search takes from each half (keyword and semantic); no page goes beyond them.',
  }),
  fusionConstant: setting.number('SESSION_SEARCH_FUSION_CONSTANT', {
    default: 1,
    min: 0,
    max: 1000,
    description:
      'Constant of reciprocal rank fusion in a hybrid search: a larger value gives the first ranks less weight.',
  }),
  fusionKeywordWeight: setting.number('SESSION_SEARCH_FUSION_KEYWORD_WEIGHT', {
    default: 2,
    min: 0.001,
    max: 1000,
    description: 'Weight of the keyword half in a hybrid search.',
  }),
  fusionSemanticWeight: setting.number('SESSION_SEARCH_FUSION_SEMANTIC_WEIGHT', {
    default: 1,
    min: 0.001,
    max: 1000,
    description: 'Weight of the semantic half in a hybrid search.',
  }),
} as const;
