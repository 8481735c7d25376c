import type { Clock } from '@steward/async';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { WebhookSettings } from '@steward/api';

/** Dependencies of the registry routes. */
export interface RegistryDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly settings: WebhookSettings;
}
