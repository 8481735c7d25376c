import { defineRoute, pageOf, PlainPageQuery, readIdPage, toIdPage, type Route } from '@steward/http';
import { listApiKeys } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { KeyAnswer } from './api-key-schemas.ts';
import { readKeyReach } from './key-reach.ts';
import { createKeyPresenter } from './present-keys.ts';

export function createListApiKeysRoute(deps: IdentityDeps): Route {
  return defineRoute({
    operationId: 'listApiKeys',
    method: 'get',
    path: '/api/v1/auth/api-keys',
    openTo: ['agent_key'],
    summary: 'List API keys, newest first: your own or, with manage_users, all keys of the account.',
    description: 'With an API key, only this key and the keys created with it are listed.',
    query: PlainPageQuery,
    responses: { 200: { description: 'A page of keys.', name: 'ApiKey', schema: pageOf(KeyAnswer) } },
    handler: async ({ query, principal }) => {
      const page = readIdPage(query);
      const keys = await listApiKeys(deps.db, { ...readKeyReach(principal), ...page });
      const present = await createKeyPresenter(deps, principal.accountId, keys);
      return { status: 200, body: toIdPage(keys, page.limit, present) };
    },
  });
}
