import type { AnswerBody } from '@steward/http';
import { Type } from '@sinclair/typebox';
import type { Invitation } from '@steward/identity';
import type { IdentitySettings } from '../identity-deps.ts';

export const InvitationAnswer = Type.Object(
  {
    url: Type.String({ description: 'Link to give to the user.' }),
    token: Type.String({ description: 'Token for POST /api/v1/auth/invitations/accept.' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  {
    description:
      'The invitation, returned only once. Anyone who has the invitation can choose the password of the user.',
  },
);

/**
 * Presents an invitation. The token is in the URL fragment, which browsers do not send to servers, so that no log
 * contains it.
 */
export function presentInvitation(
  settings: Pick<IdentitySettings, 'publicUrl'>,
  invitation: Invitation,
): AnswerBody<typeof InvitationAnswer> {
  return {
    url: `${settings.publicUrl}/accept-invitation#${invitation.token}`,
    token: invitation.token,
    expires_at: invitation.expiresAt,
  };
}

export function readInvitationExpiry(settings: Pick<IdentitySettings, 'invitationDays'>, now: Date): Date {
  return new Date(now.getTime() + settings.invitationDays * 86_400_000);
}
