import { Type, type Static } from '@sinclair/typebox';
import { defineRoute, type Route, type RouteResult } from '@steward/http';
import { AppError } from '@steward/runtime';
import { createTokenSigner, findUserOfRefreshToken, issueTokens, login, recordAudit } from '@steward/slice-gateway';
import type { GatewayDeps } from '../../gateway-deps.ts';

const Login = Type.String({ minLength: 1, maxLength: 254, description: 'Username or e-mail.' });
const Secret = Type.String({ minLength: 1, maxLength: 200 });

const JsonBody = Type.Object({ username: Login, password: Secret }, { additionalProperties: false });

/** The OAuth2 password grant: clients of the standard send more fields than are needed here. */
const FormBody = Type.Object(
  {
    username: Login,
    password: Secret,
    grant_type: Type.Optional(Type.String({ enum: ['password', ''], description: 'password' })),
    scope: Type.Optional(Type.String({ maxLength: 1000 })),
    client_id: Type.Optional(Type.String({ maxLength: 255 })),
    client_secret: Type.Optional(Type.String({ maxLength: 255 })),
  },
  { additionalProperties: false },
);

const RefreshBody = Type.Object(
  { refresh_token: Type.String({ minLength: 1, maxLength: 4096 }) },
  { additionalProperties: false },
);

const TokenAnswer = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
});

const RESPONSES = { 200: { description: 'An access and a refresh token.', schema: TokenAnswer } };

type TokenDeps = Pick<GatewayDeps, 'db' | 'settings' | 'clock'>;

export function createFormTokenRoute(deps: TokenDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/auth/token',
    auth: 'none',
    tag: 'authentication',
    summary: 'Log in with a form (OAuth2 password grant).',
    bodyKind: 'form',
    body: FormBody,
    responses: RESPONSES,
    handler: ({ body, remoteAddress, requestId }) => answerLogin(deps, body, { remoteAddress, requestId }),
  });
}

export function createJsonTokenRoute(deps: TokenDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/auth/token/json',
    auth: 'none',
    tag: 'authentication',
    summary: 'Log in with JSON.',
    body: JsonBody,
    responses: RESPONSES,
    handler: ({ body, remoteAddress, requestId }) => answerLogin(deps, body, { remoteAddress, requestId }),
  });
}

export function createRefreshRoute(deps: TokenDeps): Route {
  const signer = createTokenSigner(deps.settings.secretKey);
  return defineRoute({
    method: 'post',
    path: '/api/v1/auth/refresh',
    auth: 'none',
    tag: 'authentication',
    summary: 'Exchange a refresh token for new tokens.',
    body: RefreshBody,
    responses: RESPONSES,
    handler: async ({ body }) => {
      const now = deps.clock.now();
      const user = await findUserOfRefreshToken(deps.db, signer, body.refresh_token, now);
      if (user === undefined)
        throw new AppError('unauthenticated', { message: 'The refresh token is not valid. Log in again.' });
      return answerTokens(deps, user, now);
    },
  });
}

async function answerLogin(
  deps: TokenDeps,
  body: Static<typeof JsonBody>,
  request: { readonly remoteAddress: string; readonly requestId: string },
): Promise<RouteResult> {
  const now = deps.clock.now();
  const input = { login: body.username, password: body.password, remoteAddress: request.remoteAddress, now };
  const { edition, loginFailuresPerMinute } = deps.settings;
  const outcome = await login(deps.db, input, { edition, failuresPerMinute: loginFailuresPerMinute });
  if (outcome.kind === 'blocked') {
    throw new AppError('rate_limited', {
      message: 'Too many failed logins.',
      retryAfterSeconds: outcome.retryAfterSeconds,
    });
  }
  if (outcome.kind === 'wrong') {
    if (outcome.accountId !== undefined)
      await auditLogin(deps, {
        accountId: outcome.accountId,
        userId: outcome.userId ?? null,
        status: 'failure',
        ...request,
      });
    throw new AppError('invalid_credentials');
  }
  const { user, tokenGeneration } = outcome;
  await auditLogin(deps, { accountId: user.accountId, userId: user.id, status: 'success', ...request });
  return answerTokens(deps, { id: user.id, accountId: user.accountId, tokenGeneration }, now);
}

async function answerTokens(
  deps: TokenDeps,
  user: { readonly id: string; readonly accountId: string; readonly tokenGeneration: number },
  now: Date,
): Promise<RouteResult> {
  const tokens = await issueTokens(createTokenSigner(deps.settings.secretKey), user, deps.settings, now);
  return {
    status: 200,
    body: {
      access_token: tokens.accessToken,
      refresh_token: tokens.refreshToken,
      token_type: 'bearer',
      expires_in: tokens.expiresInSeconds,
    },
  };
}

interface LoginFact {
  readonly accountId: string;
  readonly userId: string | null;
  readonly status: 'success' | 'failure';
  readonly requestId: string;
}

/** Only for names that exist: the log of an account shows what concerns its users. */
async function auditLogin(deps: TokenDeps, fact: LoginFact): Promise<void> {
  await recordAudit(deps.db, {
    accountId: fact.accountId,
    actor: {
      kind: fact.status === 'success' ? 'user' : 'anonymous',
      id: fact.status === 'success' ? fact.userId : null,
    },
    source: 'console',
    action: 'login',
    resourceType: 'user',
    resourceId: fact.userId,
    status: fact.status,
    requestId: fact.requestId,
  });
}
