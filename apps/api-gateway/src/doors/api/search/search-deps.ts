import type { AnyDatabase } from '@steward/database';
import type { Clock } from '@steward/async';
import type { Logger } from '@steward/process';
import { existsInEdition, type Permission } from '@steward/contracts';
import type { GatewaySettings } from '../../../config.ts';
import type { ConnectedSearch } from '../../../search/connect-search.ts';

/** Dependencies of the search routes. */
export interface SearchDeps extends Omit<ConnectedSearch, 'components' | 'auditDb'> {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly settings: Pick<GatewaySettings, 'edition' | 'publicUrl'>;
  readonly logger: Logger;
}

const SEARCH_PERMISSIONS: readonly Permission[] = ['view_runtime_sessions', 'search_session_content'];

/** Permissions for a search in this edition, and for saving searches: whoever may search, may save. */
export function listSearchPermissions({
  settings,
}: {
  readonly settings: Pick<GatewaySettings, 'edition'>;
}): readonly Permission[] {
  return SEARCH_PERMISSIONS.filter((permission) => existsInEdition(permission, settings.edition));
}
