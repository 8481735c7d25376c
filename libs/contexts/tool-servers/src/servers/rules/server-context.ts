import { describeRowContext } from '@steward/crypto';

/**
 * Returns the encryption context of a server's address; `describeRowContext` returns the context of the server's
 * headers.
 */
export function describeServerUrlContext(key: { readonly accountId: string; readonly id: string }): string {
  return `url of ${describeRowContext(key.accountId, key.id)}`;
}
