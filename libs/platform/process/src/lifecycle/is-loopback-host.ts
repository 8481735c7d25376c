import { BlockList, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Returns true if a bind address is reachable only from this machine. The only accepted host name is `localhost`. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
}
