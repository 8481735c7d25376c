import type { EmbeddingProvider } from './embedding-setting.ts';

/** Usage of one provider call, for the ledger of the account. */
export interface EmbeddingUsage {
  readonly callId: string;
  readonly occurredAt: Date;
  readonly provider: EmbeddingProvider;
  readonly modelIdentifier: string;
  /** The provider's count, Steward's estimate, or the reservation of a process that died. */
  readonly source: 'provider' | 'estimated' | 'assumed';
  /** Nothing was embedded. */
  readonly isFailed: boolean;
  /** Null: not counted. */
  readonly tokens: number | null;
}

/** Usage that waits to be recorded. */
export interface NotedUsage extends EmbeddingUsage {
  /** US dollars as decimal text. */
  readonly costUsd: string;
  readonly durationMs: number;
}
