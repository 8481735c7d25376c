import { Type } from '@sinclair/typebox';
import { transact } from '@steward/database';
import { defineRoute, nullable, pageOf, PlainPageQuery, type Route } from '@steward/http';
import { AppError } from '@steward/contracts';
import { recordAudit } from '@steward/audit';
import { deleteOwnLogin, listLogins } from '@steward/identity';
import { requireLogin } from '@steward/api';
import type { IdentityDeps } from '../identity-deps.ts';

type LoginsDeps = Pick<IdentityDeps, 'db' | 'broker' | 'clock'>;

const LoginParams = Type.Object({ session_id: Type.String({ format: 'uuid', description: 'The login.' }) });
const time = (description: string) => Type.String({ format: 'date-time', description });

const LoginAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.Unsafe<'browser' | 'program'>({
    type: 'string',
    enum: ['browser', 'program'],
    description: 'Kind of client that stores the refresh token: a browser (as a cookie) or a program.',
  }),
  client: nullable(Type.String(), 'Name of the client that started the login, as reported by the client.'),
  current: Type.Boolean({ description: 'Whether the request was made with this login.' }),
  created_at: time('When it was started.'),
  refreshed_at: nullable(time(''), 'When the tokens of the login were last refreshed; null if never.'),
  expires_at: time('When the login expires unless it is refreshed.'),
});

/** Creates the route that lists logins. All logins are on one page, because a user has at most 500. */
export function createListLoginsRoute({ db, clock }: LoginsDeps): Route {
  return defineRoute({
    operationId: 'listLogins',
    method: 'get',
    path: '/api/v1/auth/sessions',
    summary: 'List your logins, newest first.',
    query: PlainPageQuery,
    responses: { 200: { description: 'All active logins.', name: 'Login', schema: pageOf(LoginAnswer) } },
    handler: async ({ principal }) => {
      const current = requireLogin(principal);
      const logins = await listLogins(db, principal.userId, clock.now());
      const items = logins.map(({ id, isBrowser, client, createdAt, refreshedAt, expiresAt }) => ({
        id,
        kind: isBrowser ? ('browser' as const) : ('program' as const),
        client,
        current: id === current,
        created_at: createdAt,
        refreshed_at: refreshedAt,
        expires_at: expiresAt,
      }));
      return { status: 200, body: { items, next_cursor: null } };
    },
  });
}

export function createEndLoginRoute(deps: LoginsDeps): Route {
  return defineRoute({
    operationId: 'endLogin',
    method: 'delete',
    path: '/api/v1/auth/sessions/{session_id}',
    permissions: [],
    summary: 'End one of your logins. Its tokens stop working from the next request on.',
    params: LoginParams,
    responses: { 204: { description: 'Ended.' } },
    audit: { action: 'revoke_sessions', resourceType: 'user' },
    handler: async ({ params, principal, audit }) => {
      requireLogin(principal);
      const { userId } = principal;
      await transact(deps, async (trx) => {
        if (!(await deleteOwnLogin(trx, { userId, id: params.session_id }))) throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: userId, details: { ended: 1 } }));
      });
      return { status: 204 };
    },
  });
}
