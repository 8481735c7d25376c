import { describeRowContext } from '@steward/crypto';

/**
 * Returns the encryption context of a server's address; the context of the server's headers is that of
 * `describeRowContext`.
 */
export function describeServerUrlContext(key: { readonly accountId: string; readonly id: string }): string {
  return `url of ${describeRowContext(key.accountId, key.id)}`;
}
