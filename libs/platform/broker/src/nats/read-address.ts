import type { TlsFiles } from '@steward/process';

/**
 * Returns the address of a server, with the user and password or the token as separate options, since the client
 * package ignores credentials in a URL.
 */
export function readAddress(url: string, { caFile, certFile, keyFile }: TlsFiles = {}) {
  const parsed = new URL(url);
  const user = decodeURIComponent(parsed.username);
  const pass = decodeURIComponent(parsed.password);
  const credentials = user === '' ? {} : pass === '' ? { token: user } : { user, pass };
  const tls = {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
    // Without this option, the package verifies the server's certificate against the address only if the address is a
    // host name; otherwise Node expects "localhost".
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
  };
  const isSecured = parsed.protocol === 'tls:' || caFile !== undefined || certFile !== undefined;
  return { servers: parsed.host, ...credentials, ...(isSecured ? { tls } : {}) };
}
