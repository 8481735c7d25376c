import type { AnyDatabase } from '@steward/database';
import type { Clock } from '@steward/async';
import type { Logger } from '@steward/process';
import type { GatewaySettings } from '../../../config.ts';
import type { ConnectedSearch } from '../../../search/connect-search.ts';

/** Dependencies of the search routes. */
export interface SearchDeps extends Omit<ConnectedSearch, 'components' | 'auditDb'> {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly settings: Pick<GatewaySettings, 'edition' | 'publicUrl'>;
  readonly logger: Logger;
}
