/** Sealing context of a provider's key: it does not open in another row. */
export function describeKeyContext({ accountId, id }: { readonly accountId: string; readonly id: string }): string {
  return `${accountId}/${id}`;
}
