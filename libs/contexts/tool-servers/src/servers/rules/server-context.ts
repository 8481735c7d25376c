/** Sealing context of a server's headers: they do not open in another row. */
export function describeServerContext({ accountId, id }: { readonly accountId: string; readonly id: string }): string {
  return `${accountId}/${id}`;
}

/** Sealing context of its address. */
export function describeServerUrlContext(key: { readonly accountId: string; readonly id: string }): string {
  return `url of ${describeServerContext(key)}`;
}
