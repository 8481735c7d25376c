/**
 * Matches the scheme, the user and password, and the rest of a URL as they are written, since a parsed URL may be
 * printed in another form.
 */
const WITH_USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)@(.*)$/is;

export interface SplitUrl {
  /** The URL without its credentials; unchanged if it contains none. */
  readonly plain: string;
  /** `user:password` or a token, as written in the URL; undefined if there is none. */
  readonly credentials: string | undefined;
}

/**
 * Separates the credentials from a repository's URL. A user without a password is treated as a token only in an HTTP(S)
 * URL, and only if the user is not `git`.
 */
export function splitCredentials(url: string): SplitUrl {
  const match = WITH_USER.exec(url);
  if (match === null) return { plain: url, credentials: undefined };
  const [, scheme = '', user = '', rest = ''] = match;
  const isToken = user.includes(':') || (user !== 'git' && /^https?:/i.test(scheme));
  return isToken ? { plain: `${scheme}${rest}`, credentials: user } : { plain: url, credentials: undefined };
}

export function joinCredentials(plain: string, credentials: string): string {
  return plain.replace('://', () => `://${credentials}@`);
}

/**
 * Returns whether both URLs point to the same server: credentials are never applied to another server when a URL is
 * edited.
 */
export function isSameServer(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [first, second] = [new URL(one), new URL(other)];
  return first.protocol === second.protocol && first.host === second.host;
}
