/** What a begun login is bound to when it is sealed. */
export const describeBegunContext = (loginId: string): string => `begun login ${loginId}`;

/** What the tokens of a server are bound to. */
export function describeGrantContext({ accountId, id }: { readonly accountId: string; readonly id: string }): string {
  return `login of ${accountId}/${id}`;
}
