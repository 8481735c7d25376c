import type { AnyDatabase } from '@steward/database';
import type { Clock } from '@steward/async';
import type { Logger } from '@steward/process';
import type { GatewaySettings } from '../../../config.ts';
import type { ConnectedSearch } from '../../../search/connect-search.ts';

/** What searches are served from. */
export interface SearchDeps extends Omit<ConnectedSearch, 'components'> {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly settings: Pick<GatewaySettings, 'edition'>;
  readonly logger: Logger;
}
