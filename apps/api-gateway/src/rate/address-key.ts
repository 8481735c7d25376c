import { isIPv6 } from 'node:net';

/**
 * What one sender is budgeted by: an IPv4 address as it is, an IPv6 address by its /64, since whoever has one address of
 * such a network has all of them.
 */
export function buildAddressKey(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const bare = address.split('%', 1)[0] ?? '';
  return isIPv6(bare) ? `${expandGroups(bare).slice(0, 4).join(':')}::/64` : address;
}

/** The eight groups of an IPv6 address, `::` filled with zeros. */
function expandGroups(address: string): string[] {
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const groups = address.includes('::')
    ? [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
    : left;
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}
