/** Sealing context of a named secret: it opens only as this secret of this account. */
export function describeSecretContext(accountId: string, name: string): string {
  return `${accountId}/${name}`;
}
