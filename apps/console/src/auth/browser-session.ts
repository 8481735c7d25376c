import type { BrowserSession } from '../api/answers.ts';
import { ApiError } from '../api/api-error.ts';
import { send } from '../api/send.ts';

/** Path of the routes for browsers: the refresh token is sent as a cookie that no script can read. */
const PATH = '/api/v1/auth/session';
/** Timeout for signing out: a service that does not respond must not keep the user signed in for longer. */
const CLOSE_MS = 3000;

/** Signs a user in. @throws ApiError, 401 for a wrong name or password */
export function openSession(username: string, password: string): Promise<BrowserSession> {
  return send<BrowserSession>('POST', PATH, { body: { username, password } });
}

/**
 * Returns the session with a new access token; undefined if no user is signed in anymore. @throws ApiError for any
 * other failure
 */
export async function refreshSession(): Promise<BrowserSession | undefined> {
  try {
    return await send<BrowserSession>('POST', `${PATH}/refresh`, { body: {} });
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return undefined;
    throw error;
  }
}

/**
 * Signs the user out. The request is sent even if the user leaves the page. @throws ApiError; `TimeoutError` if the
 * response takes too long
 */
export async function closeSession(): Promise<void> {
  await send<undefined>('DELETE', PATH, { keepalive: true, signal: AbortSignal.timeout(CLOSE_MS) });
}
