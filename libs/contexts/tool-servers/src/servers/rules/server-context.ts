import { describeRowContext } from '@steward/crypto';

/** Sealing context of a server's address; that of its headers is the row's alone. */
export function describeServerUrlContext(key: { readonly accountId: string; readonly id: string }): string {
  return `url of ${describeRowContext(key.accountId, key.id)}`;
}
