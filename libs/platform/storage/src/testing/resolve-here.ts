import dns from 'node:dns';

/** Resolves host names with this ending to this machine until undone: not every resolver supports `*.localhost`. */
export function resolveHere(suffix: string): () => void {
  const { lookup } = dns;
  const answer = (hostname: string, ...rest: unknown[]): void =>
    (lookup as (...all: unknown[]) => void)(hostname.endsWith(suffix) ? '127.0.0.1' : hostname, ...rest);
  dns.lookup = answer as unknown as typeof dns.lookup;
  return () => {
    dns.lookup = lookup;
  };
}
