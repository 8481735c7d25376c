/** How much of a corpus is embedded: titles and summaries, about one chunk per session, or every chunk. */
export const EMBEDDING_SCOPES = ['summaries_only', 'full'] as const;

export type EmbeddingScope = (typeof EMBEDDING_SCOPES)[number];

/** Who embeds: any service that speaks the embeddings request of the OpenAI API. */
export const EMBEDDING_PROVIDERS = ['generic_compatible'] as const;

export type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number];

/** What an account chose. Off, it keeps the details of its provider for a later enable. */
export interface EmbeddingSetting {
  readonly isEnabled: boolean;
  readonly scope: EmbeddingScope;
  readonly provider: EmbeddingProvider | null;
  readonly modelIdentifier: string | null;
  readonly baseUrl: string | null;
  readonly hasApiKey: boolean;
  /** US dollars per UTC day; null for the deployment's own. */
  readonly dailyCapUsd: number | null;
  /** Why the last run stopped short, and since when. */
  readonly degradedReason: string | null;
  readonly degradedAt: Date | null;
}

/** Of an account that never saved one. */
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

/** What a save changes, as it was sent: undefined leaves a field alone. */
export interface EmbeddingPatch {
  readonly isEnabled?: boolean | undefined;
  readonly scope?: string | undefined;
  readonly provider?: string | undefined;
  readonly modelIdentifier?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Null clears the account's own cap. */
  readonly dailyCapUsd?: number | null | undefined;
}
