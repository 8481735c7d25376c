import type { Clock } from '@steward/async';
import type { SecretBox } from '@steward/crypto';
import type { CancellablePools } from '@steward/database';
import type { AnyDatabase } from '@steward/database';
import type { EmbeddingClient } from '@steward/embedding-client';
import type { Logger } from '@steward/process';
import type { PriceMap } from '../embedding/rules/price.ts';
import type { FusionSettings } from './candidate.ts';

/** Ports of the semantic half of a search. */
export interface SemanticPorts {
  readonly db: AnyDatabase;
  readonly pools: CancellablePools;
  readonly logger: Logger;
  /** Whether a response may lack the semantic half after this error; by default true for any error. */
  readonly mayMissHalf?: ((error: unknown) => boolean) | undefined;
  /** Whether this deployment has a semantic half. */
  readonly embeddingEnabled: boolean;
  /** Default daily cap of accounts, in US dollars. */
  readonly embeddingDailyCapUsd: number;
  readonly embeddingPrices: PriceMap;
  readonly embeddingClient: Pick<EmbeddingClient, 'embed'>;
  /** Decrypts the keys of providers. */
  readonly embeddingKeys: Pick<SecretBox, 'open'>;
  /** Time limit for embedding a query, in milliseconds. */
  readonly queryTimeoutMs: number;
  readonly fusion: FusionSettings;
  readonly clock: Clock;
}
