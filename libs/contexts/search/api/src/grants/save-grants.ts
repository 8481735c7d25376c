import type { Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { saveAccountScopeGrants, type AccountScopeGrant, type GrantChange } from '@steward/search';
import { findUnknownSubject } from './find-unknown-subject.ts';
import { GRANTS_PERMISSIONS, presentGrants, type GrantsDeps } from './grants-deps.ts';
import { GrantsList } from './grants-schemas.ts';

export function createSaveGrantsRoute(deps: GrantsDeps): Route {
  return defineRoute({
    operationId: 'saveSearchGrants',
    method: 'put',
    path: '/api/v1/session-search/grants',
    permissions: GRANTS_PERMISSIONS,
    summary: 'Set which agents may search the sessions of the whole account (enterprise edition).',
    description:
      'The request replaces the whole list: subjects that are omitted no longer have a grant. For each search, the grant of the API key is looked up first, then that of its agent, then that of the account; the first grant found applies, whether its value is true or false.',
    body: GrantsList,
    bodyExample: {
      grants: [
        {
          subject_type: 'managed_agent',
          subject_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b22',
          session_search_account_scope: true,
        },
      ],
    },
    responses: { 200: { description: 'The list as stored.', name: 'SearchGrants', schema: GrantsList } },
    audit: { action: 'update', resourceType: 'session_search_grants' },
    handler: async ({ body, principal, audit }) => {
      const { accountId } = principal;
      const grants = body.grants.map(readGrant);
      const saved = await transact(deps, async (trx) => {
        const outcome = await saveAccountScopeGrants(trx, {
          accountId,
          grants,
          findUnknownSubject: (added) => findUnknownSubject(trx, accountId, added),
        });
        if (outcome.kind !== 'saved') throw refuseSubject(outcome);
        const details = { grants: grants.length, changes: outcome.changes.map(describeChange) };
        await recordAudit(trx, audit({ resourceId: accountId, details }));
        return outcome.grants;
      });
      return { status: 200, body: presentGrants(saved) };
    },
  });
}

/**
 * Returns a grant in the form in which it is stored. Ids of API keys and accounts are converted to lower case, because
 * they are UUIDs, which are compared without regard to case.
 */
function readGrant(grant: Static<typeof GrantsList>['grants'][number]): AccountScopeGrant {
  const { subject_type: subjectType, subject_id: id, session_search_account_scope: isGranted } = grant;
  return { subjectType, subjectId: subjectType === 'managed_agent' ? id : id.toLowerCase(), isGranted };
}

function refuseSubject({
  kind,
  index,
}: {
  readonly kind: 'repeated_subject' | 'unknown_subject';
  readonly index: number;
}) {
  const field = `grants.${index}.subject_id`;
  const problem = kind === 'repeated_subject' ? 'is already listed' : 'does not exist in the account';
  return new AppError('invalid_request', { message: `"${field}" ${problem}.`, detail: { field } });
}

function describeChange({ subjectType, subjectId, before, after }: GrantChange): object {
  return { subject_type: subjectType, subject_id: subjectId, before: before ?? null, after: after ?? null };
}
