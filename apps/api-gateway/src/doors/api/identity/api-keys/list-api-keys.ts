import { Type } from '@sinclair/typebox';
import { decodeIdCursor, defineRoute, encodeIdCursor, PageQuery, pageOf, toPage, type Route } from '@steward/http';
import { listApiKeys } from '@steward/slice-identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { KeyAnswer, presentKey } from './api-key-schemas.ts';
import { readKeyReach } from './key-reach.ts';

export function createListApiKeysRoute(deps: IdentityDeps): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/auth/api-keys',
    auth: 'bearer',
    tag: 'authentication',
    summary: 'List API keys, newest first: your own, or with manage_users those of the account.',
    description: 'A key sees itself and the keys made by it.',
    query: Type.Object(PageQuery, { additionalProperties: false }),
    responses: { 200: { description: 'A page of keys.', schema: pageOf(KeyAnswer) } },
    handler: async ({ query, principal }) => {
      const limit = query.limit ?? 50;
      const filter = { ...readKeyReach(principal), beforeId: decodeIdCursor(query.cursor), limit };
      const keys = await listApiKeys(deps.db, filter);
      return { status: 200, body: toPage(keys, limit, { item: presentKey, cursor: (key) => encodeIdCursor(key.id) }) };
    },
  });
}
