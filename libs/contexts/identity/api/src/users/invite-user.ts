import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findUser, issueInvitation } from '@steward/identity';
import { requireUnlimited } from '@steward/api';
import type { IdentityDeps } from '../identity-deps.ts';
import { InvitationAnswer, presentInvitation, readInvitationExpiry } from './invitation-answer.ts';
import { requireOutranked } from './role-ceiling.ts';
import { UserParams } from './user-schemas.ts';

export function createInviteRoute(deps: IdentityDeps): Route {
  const { settings } = deps;
  return defineRoute({
    operationId: 'inviteUser',
    method: 'post',
    path: '/api/v1/users/{user_id}/invitation',
    permissions: ['manage_users'],
    summary: 'Issue a new invitation for a user who has no password yet. The previous invitation becomes invalid.',
    params: UserParams,
    responses: {
      201: {
        description: 'The invitation.',
        name: 'IssuedInvitation',
        schema: Type.Object({ invitation: InvitationAnswer }),
      },
    },
    audit: { action: 'invite', resourceType: 'user' },
    handler: async ({ params, principal, audit }) => {
      requireUnlimited(principal);
      const invitation = await transact(deps, async (trx) => {
        const user = await findUser(trx, params.user_id, settings.edition, { lock: true });
        if (user === undefined || user.accountId !== principal.accountId) throw new AppError('not_found');
        requireOutranked(principal, user);
        if (!user.isInvited || !user.isActive)
          throw new AppError('conflict', {
            message: user.isInvited ? 'The user is deactivated.' : 'The user already has a password.',
          });
        const issued = await issueInvitation(trx, user, readInvitationExpiry(settings, deps.clock.now()));
        await recordAudit(trx, audit({ resourceId: user.id, details: { expires_at: issued.expiresAt } }));
        return issued;
      });
      return { status: 201, body: { invitation: presentInvitation(settings, invitation) } };
    },
  });
}
