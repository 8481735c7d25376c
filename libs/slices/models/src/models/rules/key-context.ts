/** What the key of a provider is bound to when it is sealed: in another row it does not open. */
export function describeKeyContext({ accountId, id }: { readonly accountId: string; readonly id: string }): string {
  return `${accountId}/${id}`;
}
