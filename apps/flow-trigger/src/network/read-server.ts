import { normalizeHost, type Destination } from '@steward/flows';

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'https:': 443,
  'http:': 80,
  'ssh:': 22,
  'git:': 9418,
  'postgres:': 5432,
  'postgresql:': 5432,
  'nats:': 4222,
  'tls:': 4222,
};

/**
 * Returns the server of a URL; undefined for an invalid URL, and for a protocol that is not in `DEFAULT_PORTS`, such as
 * `file`.
 */
export function readServer(url: string): Destination | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const defaultPort = DEFAULT_PORTS[protocol];
  if (hostname === '' || defaultPort === undefined) return undefined;
  return { host: normalizeHost(hostname), port: port === '' ? defaultPort : Number(port) };
}
