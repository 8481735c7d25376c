import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { acceptInvitation, prepareAcceptance, type User } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { buildAddressKey } from '@steward/api';
import { weakPassword } from '../users/new-password.ts';
import { FullName, Password, readFullName, UserAnswer } from '../users/user-schemas.ts';
import { byThemselves, saveOwnUser } from './save-own-user.ts';

const Body = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200, description: 'Token of the invitation.' }),
    password: Password,
    full_name: Type.Optional(FullName),
  },
  { additionalProperties: false },
);

export function createAcceptInvitationRoute(deps: IdentityDeps): Route {
  return defineRoute({
    operationId: 'acceptInvitation',
    method: 'post',
    path: '/api/v1/auth/invitations/accept',
    auth: 'none',
    summary:
      'Accept an invitation by choosing a password. An invitation can be used only once. Log in afterwards to get a token.',
    body: Body,
    bodyExample: { token: 'the token from the link', password: 'a long passphrase', full_name: 'Ada Lovelace' },
    responses: { 200: { description: 'The user, who can now log in.', name: 'User', schema: UserAnswer } },
    audit: { action: 'accept_invitation', resourceType: 'user' },
    handler: async ({ body, remoteAddress, audit }) => {
      const { token, password } = body;
      const now = deps.clock.now();
      const addressKey = buildAddressKey(remoteAddress);
      const prepared = await prepareAcceptance(deps.db, { token, password, addressKey, now });
      if (prepared.kind === 'weak') throw weakPassword(prepared.reason, 'password');
      if (prepared.kind === 'unknown') throw unknownInvitation();
      const input = { token, hash: prepared.hash, fullName: readFullName(body), now };
      const save = async (trx: AnyTransaction) => {
        const accepted = await acceptInvitation(trx, input, deps.settings.edition);
        if (accepted === undefined) throw unknownInvitation();
        return accepted;
      };
      const record = (user: User) => audit({ ...byThemselves(user), resourceId: user.id });
      return { status: 200, body: await saveOwnUser(deps, save, record) };
    },
  });
}

/**
 * Returns the error for an invalid invitation. The error is the same for unknown, used, expired and withdrawn
 * invitations, so that callers cannot distinguish these cases.
 */
function unknownInvitation(): AppError {
  return new AppError('not_found', {
    message: 'The invitation is no longer valid. Ask for a new one.',
  });
}
