import type { Permission } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { AnswerBody } from '@steward/http';
import type { AccountScopeGrant } from '@steward/search';
import type { GrantsList } from './grants-schemas.ts';

/** Dependencies of the grant routes. */
export interface GrantsDeps {
  readonly db: AnyDatabase;
}

/**
 * Permissions for changing grants. A user cannot grant a permission that they do not have: search grants for agents
 * require the permission to search (SRCH-61).
 */
export const GRANTS_PERMISSIONS: readonly Permission[] = ['manage_agents', 'search_session_content'];

export function presentGrants(grants: readonly AccountScopeGrant[]): AnswerBody<typeof GrantsList> {
  return {
    grants: grants.map(({ subjectType, subjectId, isGranted }) => ({
      subject_type: subjectType,
      subject_id: subjectId,
      session_search_account_scope: isGranted,
    })),
  };
}
