import { describeRowContext } from '@steward/crypto';

/** Returns the encryption context of a server's address; the context of its headers contains only the row. */
export function describeServerUrlContext(key: { readonly accountId: string; readonly id: string }): string {
  return `url of ${describeRowContext(key.accountId, key.id)}`;
}
