/** Scheme, user and password, and the rest, in the original notation, since a parsed URL is printed in another form. */
const WITH_USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)@(.*)$/is;

export interface SplitUrl {
  /** Without user and password if they are credentials. */
  readonly plain: string;
  /** `user:password` or a token, in the original notation. */
  readonly credentials: string | undefined;
}

/**
 * Separates the credentials from a repository's URL. A user without a password may be a token, but not in
 * `ssh://git@host`.
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

/** Whether both URLs point to the same server: credentials are never applied to another server when a URL is edited. */
export function isSameServer(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [first, second] = [new URL(one), new URL(other)];
  return first.protocol === second.protocol && first.host === second.host;
}
