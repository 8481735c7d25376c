import type { IncomingHttpHeaders } from 'node:http';

/** Path of the cookie: a browser sends the cookie only with requests to this path or below it. */
const PATH = '/api/v1/auth/session';
const NAME = 'steward_session';
const SECONDS_PER_DAY = 86_400;

/** Reads and writes the cookie that contains the refresh token of a browser; no script can read this cookie. */
export interface SessionCookie {
  read(headers: IncomingHttpHeaders): string | undefined;
  write(token: string): Readonly<Record<string, string>>;
  clear(): Readonly<Record<string, string>>;
}

/**
 * Creates the session cookie. The cookie is Secure only over HTTPS: browsers reject a Secure cookie over plain HTTP,
 * which a service in a local network may use.
 */
export function createSessionCookie(settings: {
  readonly publicUrl: string;
  readonly refreshTokenDays: number;
}): SessionCookie {
  const isSecure = settings.publicUrl.startsWith('https:');
  const name = isSecure ? `__Secure-${NAME}` : NAME;
  const set = (value: string, seconds: number) => ({
    'Set-Cookie': `${name}=${value}; Path=${PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  });
  return {
    read({ cookie = '' }) {
      const pairs = cookie.split(';').map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
    },
    write: (token) => set(token, settings.refreshTokenDays * SECONDS_PER_DAY),
    clear: () => set('', 0),
  };
}
