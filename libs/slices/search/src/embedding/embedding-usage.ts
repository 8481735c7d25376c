import type { EmbeddingProvider } from './embedding-setting.ts';

/** What one call of a provider took, for the books of the account. */
export interface EmbeddingUsage {
  readonly callId: string;
  readonly occurredAt: Date;
  readonly provider: EmbeddingProvider;
  readonly modelIdentifier: string;
  /** The provider's count, our estimate, or what was reserved by a process that died. */
  readonly source: 'provider' | 'estimated' | 'assumed';
  /** Nothing was embedded. */
  readonly isFailed: boolean;
  /** Null: nobody counted. */
  readonly tokens: number | null;
}

/** One that waits to be booked. */
export interface NotedUsage extends EmbeddingUsage {
  /** US dollars as decimal text. */
  readonly costUsd: string;
  readonly durationMs: number;
}
