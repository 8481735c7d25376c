import type { Edition } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { Clock } from '@steward/async';
import type { Logger } from '@steward/process';
import type { ConnectedSearch } from './connect-search.ts';

/** Dependencies of the search routes. */
export interface SearchDeps extends Omit<ConnectedSearch, 'components' | 'auditDb' | 'warmUp'> {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly settings: { readonly edition: Edition; readonly publicUrl: string };
  readonly logger: Logger;
}
