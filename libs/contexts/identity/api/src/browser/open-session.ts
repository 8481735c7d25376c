import { Type } from '@sinclair/typebox';
import { defineRoute, type Route } from '@steward/http';
import { LOGIN, startLogin } from '../auth/start-login.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { browserLifetimes } from './browser-lifetimes.ts';
import { createSameOriginRule } from './require-same-origin.ts';
import { presentSession, SESSION_RESPONSES } from './session-answer.ts';
import { createSessionCookie } from './session-cookie.ts';

const Body = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 254, description: 'Username or email address.' }),
    password: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { additionalProperties: false },
);

export function createOpenSessionRoute(deps: IdentityDeps): Route {
  const cookie = createSessionCookie(deps.settings);
  const requireSameOrigin = createSameOriginRule(deps.settings);
  return defineRoute({
    operationId: 'openBrowserSession',
    method: 'post',
    path: '/api/v1/auth/session',
    auth: 'none',
    summary: 'Sign in from a browser; the refresh token is set as a cookie.',
    body: Body,
    bodyExample: { username: 'ada', password: 'a long passphrase' },
    responses: SESSION_RESPONSES,
    audit: LOGIN,
    handler: async ({ body, ...request }) => {
      requireSameOrigin(request.headers);
      const lifetimes = browserLifetimes(deps.settings);
      const { user, tokens } = await startLogin(deps, { ...body, kind: 'browser', lifetimes }, request);
      return { status: 200, headers: cookie.write(tokens.refreshToken), body: presentSession(tokens, user) };
    },
  });
}
