/** Returns the encryption context of a started login. */
export const describeBegunContext = (loginId: string): string => `begun login ${loginId}`;

/** Returns the encryption context of a server's tokens. */
export function describeGrantContext({ accountId, id }: { readonly accountId: string; readonly id: string }): string {
  return `login of ${accountId}/${id}`;
}
