import { existsInEdition, type Edition, type Permission } from '@steward/contracts';

const SEARCH_PERMISSIONS: readonly Permission[] = ['view_runtime_sessions', 'search_session_content'];

/** Lists the permissions that searching requires in this edition; saving a search requires the same permissions. */
export function listSearchPermissions({
  settings,
}: {
  readonly settings: { readonly edition: Edition };
}): readonly Permission[] {
  return SEARCH_PERMISSIONS.filter((permission) => existsInEdition(permission, settings.edition));
}
