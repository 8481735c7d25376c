import type { AnswerBody } from '@steward/http';
import { Type } from '@sinclair/typebox';
import type { IssuedTokens } from '@steward/identity';

const TokenAnswer = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String({ description: 'Refresh token; works once, at /api/v1/auth/refresh.' }),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
});

export const TOKEN_RESPONSES = {
  200: { description: 'An access token and a refresh token.', name: 'Tokens', schema: TokenAnswer },
};

export interface TokensAnswer {
  readonly status: 200;
  readonly body: AnswerBody<typeof TokenAnswer>;
}

export function presentTokens(tokens: IssuedTokens): AnswerBody<typeof TokenAnswer> {
  return {
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    token_type: 'bearer',
    expires_in: tokens.expiresInSeconds,
  };
}
