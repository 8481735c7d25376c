import type { Clock } from '@steward/async';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { GatewaySettings } from '../../../../config.ts';
import type { SecretBoxes } from '@steward/api';

/** Dependencies of the embedding setting's routes. */
export interface EmbeddingDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly settings: Pick<
    GatewaySettings,
    'embeddingEnabled' | 'embeddingDailyCapUsd' | 'embeddingInsecureOrigins' | 'embeddingAllowedPrivateCidrs'
  >;
  readonly secretBoxes: Pick<SecretBoxes, 'embedding'>;
}
