import dns from 'node:dns';

/** Until it is undone, names that end like this are addresses of this machine: not every resolver knows `*.localhost`. */
export function resolveHere(suffix: string): () => void {
  const { lookup } = dns;
  const answer = (hostname: string, ...rest: unknown[]): void =>
    (lookup as (...all: unknown[]) => void)(hostname.endsWith(suffix) ? '127.0.0.1' : hostname, ...rest);
  dns.lookup = answer as unknown as typeof dns.lookup;
  return () => {
    dns.lookup = lookup;
  };
}
