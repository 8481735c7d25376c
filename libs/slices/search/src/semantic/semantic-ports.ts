import type { Clock } from '@steward/async';
import type { SecretBox } from '@steward/crypto';
import type { CancellablePools } from '@steward/database';
import type { AnyDatabase } from '@steward/database';
import type { EmbeddingClient } from '@steward/embedding-client';
import type { Logger } from '@steward/process';
import type { PriceMap } from '../embedding/rules/price.ts';
import type { FusionSettings } from './candidate.ts';

/** What the semantic half of searches needs. */
export interface SemanticPorts {
  readonly db: AnyDatabase;
  readonly pools: CancellablePools;
  readonly logger: Logger;
  /** Whether this deployment has a semantic half at all. */
  readonly embeddingEnabled: boolean;
  /** Where an account has no cap of its own. */
  readonly embeddingDailyCapUsd: number;
  readonly embeddingPrices: PriceMap;
  readonly embeddingClient: Pick<EmbeddingClient, 'embed'>;
  /** Opens the keys of providers. */
  readonly embeddingKeys: Pick<SecretBox, 'open'>;
  /** What a query's embedding may take. */
  readonly queryTimeoutMs: number;
  readonly fusion: FusionSettings;
  readonly clock: Clock;
}
