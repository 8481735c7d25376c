import type { EmbeddingProvider } from './embedding-setting.ts';

/** Usage of one provider call, to be recorded in the ledger of the account. */
export interface EmbeddingUsage {
  readonly callId: string;
  readonly occurredAt: Date;
  readonly provider: EmbeddingProvider;
  readonly modelIdentifier: string;
  /**
   * Source of the usage: reported by the provider, estimated by Steward, or, for a call whose lease expired, assumed to
   * equal the reservation.
   */
  readonly source: 'provider' | 'estimated' | 'assumed';
  /** True if the call returned no vectors, or if its lease expired and no result has been stored since. */
  readonly isFailed: boolean;
  /** Number of tokens; null if it was neither reported nor estimated. */
  readonly tokens: number | null;
}

/** Usage that has not been recorded yet. */
export interface NotedUsage extends EmbeddingUsage {
  /** Cost in US dollars as decimal text. */
  readonly costUsd: string;
  readonly durationMs: number;
}
