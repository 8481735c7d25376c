import { Type, type Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { defineRoute, type Route, type RouteContext } from '@steward/http';
import { recordAudit } from '@steward/slice-audit';
import { login } from '@steward/slice-identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { buildAddressKey } from '../../../../rate/address-key.ts';
import { byThemselves } from './save-own-user.ts';
import { presentTokens, TOKEN_RESPONSES, type TokensAnswer } from './token-answer.ts';

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

const LOGIN = { action: 'login', resourceType: 'user' } as const;

type LoginRequest = Pick<RouteContext<'none', unknown, unknown, unknown, typeof LOGIN>, 'remoteAddress' | 'audit'>;

type TokenDeps = Pick<IdentityDeps, 'db' | 'settings' | 'signer' | 'clock'>;

export function createFormTokenRoute(deps: TokenDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/auth/token',
    auth: 'none',
    tag: 'authentication',
    summary: 'Log in with a form (OAuth2 password grant).',
    bodyKind: 'form',
    body: FormBody,
    responses: TOKEN_RESPONSES,
    audit: LOGIN,
    handler: ({ body, ...request }) => answerLogin(deps, body, request),
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
    responses: TOKEN_RESPONSES,
    audit: LOGIN,
    handler: ({ body, ...request }) => answerLogin(deps, body, request),
  });
}

async function answerLogin(
  deps: TokenDeps,
  body: Static<typeof JsonBody>,
  { remoteAddress, audit }: LoginRequest,
): Promise<TokensAnswer> {
  const { settings } = deps;
  const outcome = await login(
    { db: deps.db, signer: deps.signer, now: () => deps.clock.now() },
    { login: body.username, password: body.password, addressKey: buildAddressKey(remoteAddress) },
    { ...settings, failuresPerMinute: settings.loginFailuresPerMinute },
  );
  if (outcome.kind === 'blocked') throw tooManyFailures(outcome.retryAfterSeconds);
  if (outcome.kind === 'wrong') {
    const { accountId, userId: resourceId = null } = outcome;
    const actor = { kind: 'anonymous', id: null } as const;
    // Only for names that exist: the log of an account shows what concerns its users.
    if (accountId !== undefined) await recordAudit(deps.db, audit({ accountId, actor, resourceId, status: 'failure' }));
    throw new AppError('invalid_credentials');
  }
  const { user, tokens } = outcome;
  await recordAudit(deps.db, audit({ ...byThemselves(user), resourceId: user.id }));
  return { status: 200, body: presentTokens(tokens) };
}

/** Answered wherever a password is asked for. */
export function tooManyFailures(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', {
    message: `Too many wrong passwords. Try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  });
}
