import { Type } from '@sinclair/typebox';
import type { AnswerBody } from '@steward/http';
import type { IssuedTokens, User } from '@steward/identity';
import { presentUser, UserAnswer } from '../users/user-schemas.ts';

const SessionAnswer = Type.Object({
  access_token: Type.String({
    description: 'Access token; keep it only in the memory of the page, not in browser storage.',
  }),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
  user: UserAnswer,
});

export const SESSION_RESPONSES = {
  200: {
    description: 'An access token; the refresh token is a cookie.',
    name: 'BrowserSession',
    schema: SessionAnswer,
  },
};

export function presentSession(
  { accessToken, expiresInSeconds }: Omit<IssuedTokens, 'refreshToken'>,
  user: User,
): AnswerBody<typeof SessionAnswer> {
  return { access_token: accessToken, token_type: 'bearer', expires_in: expiresInSeconds, user: presentUser(user) };
}
