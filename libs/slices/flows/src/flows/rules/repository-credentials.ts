/** Scheme, user and password, and the rest: as written, since a parsed URL is printed in another form than it was given. */
const WITH_USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)@(.*)$/is;

export interface SplitUrl {
  /** Without user and password where they are credentials. */
  readonly plain: string;
  /** `user:password` or a token, as written. */
  readonly credentials: string | undefined;
}

/** Takes the credentials out of a repository's URL. A user alone is one where it may be a token, not in `ssh://git@host`. */
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

/** Whether both lead to one server: credentials never move to another one with an edited URL. */
export function isSameServer(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [first, second] = [new URL(one), new URL(other)];
  return first.protocol === second.protocol && first.host === second.host;
}
