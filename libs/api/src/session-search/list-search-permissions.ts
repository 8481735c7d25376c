import { existsInEdition, type Edition, type Permission } from '@steward/contracts';

const SEARCH_PERMISSIONS: readonly Permission[] = ['view_runtime_sessions', 'search_session_content'];

/** What a search asks for in this edition, and the keeping of searches with it: who searches, saves. */
export function listSearchPermissions({
  settings,
}: {
  readonly settings: { readonly edition: Edition };
}): readonly Permission[] {
  return SEARCH_PERMISSIONS.filter((permission) => existsInEdition(permission, settings.edition));
}
