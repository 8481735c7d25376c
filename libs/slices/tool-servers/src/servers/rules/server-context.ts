/** What the headers of a server are bound to when they are sealed: in another row they do not open. */
export function describeServerContext({ accountId, id }: { readonly accountId: string; readonly id: string }): string {
  return `${accountId}/${id}`;
}

/** What its address is bound to. */
export function describeServerUrlContext(key: { readonly accountId: string; readonly id: string }): string {
  return `url of ${describeServerContext(key)}`;
}
