import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What one sender is budgeted by: an IPv4 address as it is, an IPv6 address by its /64, since whoever has one address of
 * such a network has all of them.
 */
export function buildAddressKey(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
