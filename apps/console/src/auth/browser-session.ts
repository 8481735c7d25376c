import type { BrowserSession } from '../api/answers.ts';
import { ApiError } from '../api/api-error.ts';
import { send } from '../api/send.ts';

/** The routes for browsers: the refresh token comes and goes as a cookie that no script sees. */
const PATH = '/api/v1/auth/session';

/**
 * Of a service without those routes: then it lives in the memory of this page, and a reload asks for the password again.
 * Never in the browser's storage.
 */
let refreshToken: string | undefined;

type Tokens = BrowserSession & { readonly refresh_token: string };

/** @throws ApiError, 401 for a wrong name or password */
export async function openSession(username: string, password: string): Promise<BrowserSession> {
  const body = { username, password };
  try {
    return await send<BrowserSession>('POST', PATH, { body });
  } catch (error) {
    if (!isNotThere(error)) throw error;
    return keep(await send<Tokens>('POST', '/api/v1/auth/token/json', { body }));
  }
}

/** A new access token; undefined where nobody is signed in any more. @throws ApiError where nobody answers */
export async function refreshSession(): Promise<BrowserSession | undefined> {
  try {
    if (refreshToken === undefined) return await send<BrowserSession>('POST', `${PATH}/refresh`, { body: {} });
    return keep(await send<Tokens>('POST', '/api/v1/auth/refresh', { body: { refresh_token: refreshToken } }));
  } catch (error) {
    if (!isNotThere(error) && !isRefused(error)) throw error;
    refreshToken = undefined;
    return undefined;
  }
}

export async function closeSession(accessToken: string | undefined): Promise<void> {
  const isKept = refreshToken !== undefined;
  refreshToken = undefined;
  if (isKept) await send<undefined>('POST', '/api/v1/auth/logout', { accessToken });
  else await send<undefined>('DELETE', PATH, { accessToken });
}

function keep(tokens: Tokens): BrowserSession {
  refreshToken = tokens.refresh_token;
  return tokens;
}

function isNotThere(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 405);
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}
