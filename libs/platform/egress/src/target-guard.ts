import { BlockList, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Reason why connections to an address are not allowed in a deployment that blocks private targets. */
export type BlockReason = 'loopback' | 'link_local' | 'private' | 'reserved' | 'unresolvable';

type Range = Exclude<BlockReason, 'unresolvable'>;

export interface TargetGuard {
  /**
   * Returns the reason why an IP address is rejected; undefined if it is allowed. A string that is not an IP address is
   * treated as reserved.
   */
  classify(address: string): BlockReason | undefined;
}

type Rule = readonly [network: string, prefix: number];

const IPV4_RULES: Readonly<Record<Range, readonly Rule[]>> = {
  loopback: [['127.0.0.0', 8]],
  link_local: [['169.254.0.0', 16]],
  private: [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
  ],
  reserved: [
    ['0.0.0.0', 8],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ],
};

const IPV6_RULES: Readonly<Record<Range, readonly Rule[]>> = {
  loopback: [['::1', 128]],
  link_local: [['fe80::', 10]],
  private: [
    ['fc00::', 7],
    ['fec0::', 10],
  ],
  reserved: [
    ['::', 128],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    // The next block consists of IETF protocol assignments, including Teredo: no servers exist there, so it is rejected
    // as a whole.
    ['2001::', 23],
    ['2001:db8::', 32],
    ['3fff::', 20],
    ['5f00::', 16],
    ['ff00::', 8],
  ],
};

const REASONS = ['loopback', 'link_local', 'private', 'reserved'] as const;

function buildList(rules: readonly Rule[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of rules) list.addSubnet(network, prefix, family);
  return list;
}

const IPV4_LISTS = REASONS.map((reason) => ({ reason, list: buildList(IPV4_RULES[reason], 'ipv4') }));
const IPV6_LISTS = REASONS.map((reason) => ({ reason, list: buildList(IPV6_RULES[reason], 'ipv6') }));

/**
 * Creates the guard that checks addresses before a connection is opened (the caller resolves names and passes each
 * address). An IPv6 address that contains an IPv4 address (mapped, translated, compatible, NAT64, 6to4, ISATAP) is
 * treated as that IPv4 address.
 *
 * @param allowedCidrs - networks that remain reachable, for example `10.1.0.0/16`
 * @throws Error that names an entry that is not a network
 */
export function createTargetGuard(allowedCidrs: readonly string[] = []): TargetGuard {
  const allowed = parseCidrs(allowedCidrs);
  return {
    classify(text) {
      const address = text.split('%', 1)[0] ?? '';
      if (isIPv4(address)) return classifyIpv4(address, allowed);
      if (!isIPv6(address)) return 'reserved';
      if (allowed.check(address, 'ipv6')) return undefined;
      const reason = IPV6_LISTS.find(({ list }) => list.check(address, 'ipv6'))?.reason;
      if (reason !== undefined) return reason;
      return listEmbeddedIpv4(address)
        .map((embedded) => classifyIpv4(embedded, allowed))
        .find((found) => found !== undefined);
    },
  };
}

function classifyIpv4(address: string, allowed: BlockList): BlockReason | undefined {
  if (allowed.check(address, 'ipv4')) return undefined;
  return IPV4_LISTS.find(({ list }) => list.check(address, 'ipv4'))?.reason;
}

function parseCidrs(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', prefix] = cidr.split('/');
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    const width = family === 'ipv4' ? 32 : 128;
    const bits = prefix === undefined ? width : Number(prefix);
    const fits =
      (isIPv4(network) || isIPv6(network)) && Number.isInteger(bits) && bits >= 0 && bits <= width && prefix !== '';
    if (!fits) throw new Error(`"${cidr}" is not a network like 10.0.0.0/8`);
    list.addSubnet(network, bits, family);
  }
  return list;
}

/**
 * Returns the IPv4 addresses to which an IPv6 address may lead: none for an ordinary address, two for nested tunnels.
 */
function listEmbeddedIpv4(address: string): string[] {
  const groups = ipaddr.IPv6.parse(address).parts;
  const starts = (...head: number[]) => head.every((group, index) => groups[index] === group);
  const isMapped = starts(0, 0, 0, 0, 0, 0xffff);
  const isTranslated = starts(0, 0, 0, 0, 0xffff, 0);
  const isCompatible = starts(0, 0, 0, 0, 0, 0);
  const isNat64 = starts(0x64, 0xff9b, 0, 0, 0, 0);
  // RFC 5214 allows any prefix. The two lowest bits of the identifier's first byte are ignored, because they only state
  // the kind of identifier.
  const isIsatap = ((groups[4] ?? 0) & ~0x0300) === 0 && groups[5] === 0x5efe;
  const leadsToTail = isMapped || isTranslated || isCompatible || isNat64 || isIsatap;
  return [
    ...(starts(0x2002) ? [joinIpv4(groups[1], groups[2])] : []),
    ...(leadsToTail ? [joinIpv4(groups[6], groups[7])] : []),
  ];
}

function joinIpv4(high = 0, low = 0): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
