/**
 * Returns the token in the fragment of the address, which browsers do not send to servers. It is removed from the
 * address at once, so that it is neither copied nor kept in the history.
 */
export function takeToken(
  { hash, pathname }: Pick<Location, 'hash' | 'pathname'>,
  history: Pick<History, 'replaceState'>,
): string | undefined {
  const token = hash.replace(/^#/, '');
  if (token === '') return undefined;
  history.replaceState(null, '', pathname);
  return token;
}
