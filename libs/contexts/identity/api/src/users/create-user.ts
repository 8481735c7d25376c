import { Type } from '@sinclair/typebox';
import { transact } from '@steward/database';
import { defineRoute, nullable, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { createUser, issueInvitation, requireUserQuota } from '@steward/identity';
import { requireUnlimited } from '@steward/api';
import type { IdentityDeps } from '../identity-deps.ts';
import { requireCreatedUser } from './create-user-errors.ts';
import { InvitationAnswer, presentInvitation, readInvitationExpiry } from './invitation-answer.ts';
import { requireNewPassword } from './new-password.ts';
import { requireGrantableRole } from './role-ceiling.ts';
import {
  Email,
  FullName,
  Password,
  presentUser,
  readFullName,
  RoleName,
  UserAnswer,
  Username,
} from './user-schemas.ts';

const Body = Type.Object(
  {
    username: Username,
    email: Email,
    password: Type.Optional(nullable(Password)),
    role: RoleName,
    full_name: Type.Optional(FullName),
  },
  { additionalProperties: false },
);

const CreatedUserAnswer = Type.Object({ ...UserAnswer.properties, invitation: Type.Optional(InvitationAnswer) });

export function createCreateUserRoute(deps: IdentityDeps): Route {
  const { settings } = deps;
  return defineRoute({
    operationId: 'createUser',
    method: 'post',
    path: '/api/v1/users',
    permissions: ['manage_users'],
    summary: 'Add a user to the account.',
    description:
      'If the request contains no password, the response contains a one-time invitation, with which the user chooses a password; until then, the user cannot log in.',
    body: Body,
    bodyExample: { username: 'grace', email: 'grace@example.com', role: 'analyst' },
    responses: { 201: { description: 'The user.', name: 'CreatedUser', schema: CreatedUserAnswer } },
    audit: { resourceType: 'user' },
    handler: async ({ body, principal, remoteAddress, audit }) => {
      requireUnlimited(principal);
      await requireGrantableRole(deps, principal, body.role);
      const { username, email, role, password } = body;
      const fullName = readFullName(body) ?? null;
      const passwordHash =
        typeof password === 'string' ? await requireNewPassword({ username, email, password }, remoteAddress) : null;
      const { user, invitation } = await transact(deps, async (trx) => {
        await requireUserQuota(trx, { accountId: principal.accountId, limit: settings.accountMaxUsers });
        const input = { username, email, role, passwordHash, fullName, accountId: principal.accountId };
        const created = requireCreatedUser(await createUser(trx, input, settings.edition));
        const issued = created.isInvited
          ? await issueInvitation(trx, created, readInvitationExpiry(settings, deps.clock.now()))
          : undefined;
        await recordAudit(
          trx,
          audit({
            resourceId: created.id,
            details: { role: created.role, ...(issued === undefined ? {} : { invited_until: issued.expiresAt }) },
          }),
        );
        return { user: created, invitation: issued };
      });
      const extra = invitation === undefined ? {} : { invitation: presentInvitation(settings, invitation) };
      return { status: 201, body: { ...presentUser(user), ...extra } };
    },
  });
}
