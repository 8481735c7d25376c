/** Part of a corpus that is embedded: titles and summaries (about one chunk per session), or every chunk. */
export const EMBEDDING_SCOPES = ['summaries_only', 'full'] as const;

export type EmbeddingScope = (typeof EMBEDDING_SCOPES)[number];

/** Providers of embeddings. `generic_compatible` is any service that accepts embeddings requests of the OpenAI API. */
export const EMBEDDING_PROVIDERS = ['generic_compatible'] as const;

export type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number];

/**
 * Embedding setting of an account. If embedding is disabled, the details of the provider are retained, so that
 * embedding can be enabled again.
 */
export interface EmbeddingSetting {
  readonly isEnabled: boolean;
  readonly scope: EmbeddingScope;
  readonly provider: EmbeddingProvider | null;
  readonly modelIdentifier: string | null;
  readonly baseUrl: string | null;
  readonly hasApiKey: boolean;
  /** Cap in US dollars per UTC day; null if the deployment's cap applies. */
  readonly dailyCapUsd: number | null;
  /** Reason why embedding has stopped, and the time when it stopped; null if it has not. */
  readonly degradedReason: string | null;
  readonly degradedAt: Date | null;
}

/** Setting of an account that has never saved one. */
export const NO_EMBEDDING_SETTING: EmbeddingSetting = {
  isEnabled: false,
  scope: 'summaries_only',
  provider: null,
  modelIdentifier: null,
  baseUrl: null,
  hasApiKey: false,
  dailyCapUsd: null,
  degradedReason: null,
  degradedAt: null,
};

/** Changes to be saved, as sent: undefined leaves a field unchanged. */
export interface EmbeddingPatch {
  readonly isEnabled?: boolean | undefined;
  readonly scope?: string | undefined;
  readonly provider?: string | undefined;
  readonly modelIdentifier?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Daily cap in US dollars; null removes the account's cap. */
  readonly dailyCapUsd?: number | null | undefined;
}
