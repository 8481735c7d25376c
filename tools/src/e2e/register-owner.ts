import type { Api } from '../demo/api.ts';

export const PASSWORD = 'a long enough password';

export interface Owner {
  readonly api: Api;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Creates an account, and returns the API as its logged-in owner. */
export async function registerOwner(anonymous: Api, username: string): Promise<Owner> {
  const login = { username, password: PASSWORD };
  const email = `${username}@example.test`;
  await anonymous.call('POST', '/api/v1/auth/register', { body: { ...login, email } });
  const { body } = await anonymous.call('POST', '/api/v1/auth/token/json', { body: login });
  const accessToken = String(body.access_token);
  return { api: anonymous.withToken(accessToken), accessToken, refreshToken: String(body.refresh_token) };
}
