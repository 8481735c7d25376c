import { Type, type Static } from '@sinclair/typebox';
import { defineRoute, type Route } from '@steward/http';
import { LOGIN, startLogin, type LoginRequest, type TokenDeps } from './start-login.ts';
import { presentTokens, TOKEN_RESPONSES, type TokensAnswer } from './token-answer.ts';

const Login = Type.String({ minLength: 1, maxLength: 254, description: 'Username or email address.' });
const Secret = Type.String({ minLength: 1, maxLength: 200 });

const JsonBody = Type.Object({ username: Login, password: Secret }, { additionalProperties: false });

/** Body of the OAuth2 password grant; standard clients send more fields than are needed here. */
const FormBody = Type.Object(
  {
    username: Login,
    password: Secret,
    grant_type: Type.Optional(
      Type.String({ enum: ['password', ''], description: 'Grant type of OAuth2: `password`, or empty.' }),
    ),
    scope: Type.Optional(Type.String({ maxLength: 1000 })),
    client_id: Type.Optional(Type.String({ maxLength: 255 })),
    client_secret: Type.Optional(Type.String({ maxLength: 255 })),
  },
  { additionalProperties: false },
);

export function createFormTokenRoute(deps: TokenDeps): Route {
  return defineRoute({
    operationId: 'logInByForm',
    method: 'post',
    path: '/api/v1/auth/token',
    auth: 'none',
    summary: 'Log in with form-encoded credentials (OAuth2 password grant).',
    bodyKind: 'form',
    body: FormBody,
    bodyExample: { username: 'ada', password: 'a long passphrase', grant_type: 'password' },
    responses: TOKEN_RESPONSES,
    audit: LOGIN,
    handler: ({ body: { username, password }, ...request }) => answerLogin(deps, { username, password }, request),
  });
}

export function createJsonTokenRoute(deps: TokenDeps): Route {
  return defineRoute({
    operationId: 'logIn',
    method: 'post',
    path: '/api/v1/auth/token/json',
    auth: 'none',
    summary: 'Log in with JSON.',
    body: JsonBody,
    bodyExample: { username: 'ada', password: 'a long passphrase' },
    responses: TOKEN_RESPONSES,
    audit: LOGIN,
    handler: ({ body: { username, password }, ...request }) => answerLogin(deps, { username, password }, request),
  });
}

async function answerLogin(
  deps: TokenDeps,
  body: Static<typeof JsonBody>,
  request: LoginRequest,
): Promise<TokensAnswer> {
  const { tokens } = await startLogin(deps, { ...body, kind: 'program', lifetimes: deps.settings }, request);
  return { status: 200, body: presentTokens(tokens) };
}
