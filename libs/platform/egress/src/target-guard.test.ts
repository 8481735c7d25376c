import fc from 'fast-check';
import { createTargetGuard } from './target-guard.ts';

const guard = createTargetGuard();
/**
 * Returns why a host is blocked, in the form used for the connection, in which the URL parser has normalized every
 * notation of an IPv4 address.
 */
const classifyUrl = (url: string) => guard.classify(new URL(url).hostname.replace(/^\[|\]$/g, ''));

describe('target guard', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.1', 'loopback'],
    ['0x7f.1', 'loopback'],
    ['2130706433', 'loopback'],
    ['0177.0.0.1', 'loopback'],
    ['１２７.０.０.１', 'loopback'],
    ['127.0.0.1.', 'loopback'],
    ['[::1]', 'loopback'],
    ['[0:0:0:0:0:0:0:1]', 'loopback'],
    ['[::ffff:127.0.0.1]', 'loopback'],
    ['[::ffff:7f00:1]', 'loopback'],
    ['[::127.0.0.1]', 'loopback'],
    ['[64:ff9b::7f00:1]', 'loopback'],
    ['[2002:7f00:1::]', 'loopback'],
    ['[fe80::1]', 'link_local'],
    ['169.254.169.254', 'link_local'],
    ['[::ffff:a9fe:a9fe]', 'link_local'],
    ['[fd00:ec2::254]', 'private'],
    ['10.0.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.100.100.200', 'private'],
    ['[64:ff9b::10.0.0.1]', 'private'],
    ['0.0.0.0', 'reserved'],
    ['0', 'reserved'],
    ['224.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['[::]', 'reserved'],
    ['[2001::1]', 'reserved'],
    ['[2001:db8::1]', 'reserved'],
    ['[64:ff9b:1::1]', 'reserved'],
    ['[ff02::1]', 'reserved'],
    ['[2a00:1450::5efe:127.0.0.1]', 'loopback'],
    ['[2a00:1450::200:5efe:10.0.0.1]', 'private'],
    ['[2a00:1450:0:0:100:5efe:a9fe:a9fe]', 'link_local'],
    ['[2002:101:101::5efe:192.168.0.1]', 'private'],
    ['[::ffff:0:127.0.0.1]', 'loopback'],
    ['[2001:0:7f00:1::1]', 'reserved'],
    ['[64:ff9b:1:7f00:0:100::]', 'reserved'],
  ])('refuses http://%s as %s', (host, reason) => {
    expect(classifyUrl(`http://${host}/hook`)).toBe(reason);
  });

  it.each([
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '[2606:4700::1111]',
    '[64:ff9b::101:101]',
    '[2002:101:101::1]',
    '[2a00:1450::5efe:1.1.1.1]',
    '[2a00:1450::5eff:127.0.0.1]',
  ])('allows http://%s', (host) => {
    expect(classifyUrl(`http://${host}/`)).toBeUndefined();
  });

  it('ignores a zone id', () => {
    expect(guard.classify('fe80::1%eth0')).toBe('link_local');
  });

  it('allows the networks of the allowlist, in any notation', () => {
    const allowing = createTargetGuard(['10.1.0.0/16', 'fd00::/8', '192.168.7.7']);
    expect(allowing.classify('10.1.2.3')).toBeUndefined();
    expect(allowing.classify('::ffff:10.1.2.3')).toBeUndefined();
    expect(allowing.classify('fd12::1')).toBeUndefined();
    expect(allowing.classify('192.168.7.7')).toBeUndefined();
    expect(allowing.classify('192.168.7.8')).toBe('private');
    expect(allowing.classify('10.2.0.1')).toBe('private');
  });

  it.each(['10.0.0.0/33', 'example.com/8', '10.0.0.0/', 'nonsense'])('reports "%s" as an invalid network', (cidr) => {
    expect(() => createTargetGuard([cidr])).toThrow(cidr);
  });

  it('gives the same result for an IPv4 address and for any IPv6 address that refers to it', () => {
    const octet = fc.nat(255);
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), ([a, b, c, d]) => {
        const address = [a, b, c, d].join('.');
        const group = (high: number, low: number) => ((high << 8) | low).toString(16);
        const tail = `${group(a, b)}:${group(c, d)}`;
        const verdict = guard.classify(address);
        const spellings = [
          `::ffff:${address}`,
          `::ffff:${tail}`,
          `0:0:0:0:0:FFFF:${tail.toUpperCase()}`,
          `::ffff:0:${tail}`,
          `64:ff9b::${tail}`,
          `2002:${tail}::1`,
          `2a00:1450::5efe:${tail}`,
          `2a00:1450::300:5efe:${tail}`,
        ];
        for (const spelling of spellings) expect([spelling, guard.classify(spelling)]).toEqual([spelling, verdict]);
      }),
    );
  });

  it('gives the same result for any notation of an IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const verdict = guard.classify(address);
        expect(guard.classify(address.toUpperCase())).toBe(verdict);
        expect(guard.classify(new URL(`http://[${address}]/`).hostname.slice(1, -1))).toBe(verdict);
        expect(guard.classify(`${address}%eth0`)).toBe(verdict);
      }),
    );
  });

  it('does not connect to an invalid address', () => {
    fc.assert(fc.property(fc.domain(), (name) => expect(guard.classify(name)).toBe('reserved')));
  });
});
