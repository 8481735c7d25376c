import { readAccessToken, renewSession } from '../auth/session.ts';
import { ApiError } from './api-error.ts';
import { send, type Method, type SendOptions } from './send.ts';

/**
 * One request as the person who is signed in. An access token that ran out is renewed once; when that is refused the page is
 * signed out. @throws ApiError
 */
export async function request<Answer>(
  method: Method,
  path: string,
  options: Omit<SendOptions, 'accessToken'> = {},
): Promise<Answer> {
  const accessToken = readAccessToken();
  try {
    return await send<Answer>(method, path, { ...options, accessToken });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const renewed = await renewSession(accessToken);
    if (renewed === undefined) throw error;
    return send<Answer>(method, path, { ...options, accessToken: renewed });
  }
}
