import { randomBytes } from 'node:crypto';
import type { Api } from './api.ts';

/**
 * Creates an account, and returns the API as its owner.
 * @throws if registration is disabled
 */
export async function logIn(anonymous: Api): Promise<Api> {
  const username = `demo-${randomBytes(5).toString('hex')}`;
  const password = randomBytes(12).toString('base64url');
  const registered = await anonymous.call('POST', '/api/v1/auth/register', {
    body: { username, email: `${username}@example.test`, password },
  });
  if (registered.status !== 201) throw new Error(`not registered: ${JSON.stringify(registered.body)}`);
  const token = await anonymous.call('POST', '/api/v1/auth/token/json', { body: { username, password } });
  return anonymous.withToken(String(token.body.access_token));
}
