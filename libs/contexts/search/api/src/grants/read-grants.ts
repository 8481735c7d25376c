import { defineRoute, type Route } from '@steward/http';
import { listAccountScopeGrants } from '@steward/search';
import { GRANTS_PERMISSIONS, presentGrants, type GrantsDeps } from './grants-deps.ts';
import { GrantsList } from './grants-schemas.ts';

export function createReadGrantsRoute({ db }: GrantsDeps): Route {
  return defineRoute({
    operationId: 'readSearchGrants',
    method: 'get',
    path: '/api/v1/session-search/grants',
    permissions: GRANTS_PERMISSIONS,
    summary: 'List which agents may search the sessions of the whole account (enterprise edition).',
    responses: { 200: { description: 'All grants of the account.', name: 'SearchGrants', schema: GrantsList } },
    handler: async ({ principal: { accountId } }) => ({
      status: 200,
      body: presentGrants(await listAccountScopeGrants(db, accountId)),
    }),
  });
}
