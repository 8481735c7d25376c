import { StartupError, type TlsFiles } from '@steward/process';

const FILES = { caFile: 'sslrootcert', certFile: 'sslcert', keyFile: 'sslkey' } as const;

/**
 * Returns the URL with the TLS files as libpq parameters, so that the driver and every tool that gets the URL connect
 * in the same way. The driver reads the files for each connection. A certificate authority or a client certificate
 * implies `verify-full` if the URL sets no `sslmode`.
 *
 * @throws StartupError if TLS files are set, but the URL disables the verification of the server's certificate
 */
export function secureDatabaseUrl(url: string, files: TlsFiles): string {
  const given = Object.entries(FILES).filter(([name]) => files[name as keyof TlsFiles] !== undefined);
  if (given.length === 0) return url;
  const secured = new URL(url);
  const mode = secured.searchParams.get('sslmode') ?? 'verify-full';
  if (['disable', 'no-verify', 'allow', 'prefer'].includes(mode)) {
    throw new StartupError(
      `DATABASE_URL has sslmode=${mode}, which does not verify certificates, although TLS files are set; use verify-full, or omit it`,
    );
  }
  secured.searchParams.set('sslmode', mode);
  for (const [name, parameter] of given) secured.searchParams.set(parameter, files[name as keyof TlsFiles] ?? '');
  return secured.href;
}
