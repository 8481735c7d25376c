/** What the sealed value of a named secret is bound to: it opens as this secret of this account alone. */
export function describeSecretContext(accountId: string, name: string): string {
  return `${accountId}/${name}`;
}
