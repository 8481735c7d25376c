import type { Clock } from '@steward/async';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { SecretBoxes } from '@steward/api';

/** Dependencies of the routes for the embedding setting. */
export interface EmbeddingDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly settings: {
    readonly embeddingEnabled: boolean;
    readonly embeddingDailyCapUsd: number;
    readonly embeddingInsecureOrigins: readonly string[];
    readonly embeddingAllowedPrivateCidrs: readonly string[];
  };
  readonly secretBoxes: Pick<SecretBoxes, 'embedding'>;
}
