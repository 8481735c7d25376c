/** An entry of `network_allow`: a destination that programs of a run may reach. */
export interface AllowedDestination {
  /**
   * A lower-case name or an address without brackets; for a wildcard, the part after `*.`, or an empty string for any
   * host.
   */
  readonly host: string;
  readonly isWildcard: boolean;
  readonly ports: readonly number[];
}

export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** Ports of an entry that names no port. */
const WEB_PORTS = [80, 443];
const ENTRY = /^(?<host>\*|\[[0-9A-Fa-f:.]+\]|[^\s:/?#@[\]]+)(?::(?<port>[0-9]{1,5}))?$/;
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)*${LABEL}$`);

/**
 * Reads `host`, `host:port`, `*.host`, `*`, an IPv4 address, or an IPv6 address in brackets; the default ports are 80
 * and 443. Returns undefined for anything else.
 */
export function readAllowedDestination(text: string): AllowedDestination | undefined {
  const { host: written = '', port } = ENTRY.exec(text)?.groups ?? {};
  const ports = port === undefined ? WEB_PORTS : [Number(port)];
  if (ports.some((number) => number < 1 || number > 65_535)) return undefined;
  if (written === '*') return { host: '', isWildcard: true, ports };
  const isWildcard = written.startsWith('*.');
  const host = normalizeHost(isWildcard ? written.slice(2) : written);
  const isLiteral = isAddress(host);
  if (isWildcard ? isLiteral || !NAME.test(host) : !isLiteral && !isHostName(host)) return undefined;
  return { host, isWildcard, ports };
}

function isIpv6(host: string): boolean {
  return host.includes(':') && URL.canParse(`http://[${host}]`);
}

function isAddress(host: string): boolean {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host)?.slice(1);
  return isIpv6(host) || parts?.every((part) => String(Number(part)) === part && Number(part) <= 255) === true;
}

/**
 * Returns a host in lower case, without the trailing dot of a name or the brackets of an address; IPv6 addresses are
 * returned in their canonical form, and IPv4-mapped ones as IPv4 addresses.
 */
export function normalizeHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (isIpv6(bare)) {
    const address = new URL(`http://[${bare}]`).hostname.slice(1, -1);
    const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address) ?? [];
    if (high === undefined || low === undefined) return address;
    const [first, second] = [parseInt(high, 16), parseInt(low, 16)];
    return [first >> 8, first & 0xff, second >> 8, second & 0xff].join('.');
  }
  return bare.replace(/\.$/, '');
}

/**
 * Returns whether the string can be a host name that DNS resolves. `127.1` and similar forms are accepted neither as
 * names nor as addresses.
 */
function isHostName(host: string): boolean {
  return NAME.test(host) && !/^[0-9.]+$/.test(host) && !/(^|\.)(0x[0-9a-f]*|[0-9]+)$/.test(host);
}

export function allowsDestination({ host, isWildcard, ports }: AllowedDestination, asked: Destination): boolean {
  if (!ports.includes(asked.port)) return false;
  if (!isWildcard) return host === asked.host;
  return host === '' || (asked.host.endsWith(`.${host}`) && !isAddress(asked.host));
}

/** A header that the egress proxy adds to requests to a host, so that the programs of a run never see its value. */
export interface NetworkSecret {
  readonly host: string;
  readonly header: string;
  /** Value of the header, in which `{{secret.NAME}}` stands for a secret. */
  readonly value: string;
}

/** Headers that determine the target, framing or connection of a request; they must not contain a secret. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function mayCarrySecret(header: string): boolean {
  const name = header.toLowerCase();
  return /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name) && !FRAMING.has(name) && !name.startsWith('proxy-');
}
