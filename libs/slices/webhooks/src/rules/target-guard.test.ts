import { checkEndpointUrl } from './endpoint-url.ts';
import { createTargetGuard } from './target-guard.ts';

const guard = createTargetGuard();
const classifyUrl = (url: string) => {
  const checked = checkEndpointUrl(url);
  return checked.kind === 'valid' ? guard.classify(checked.hostname) : checked.kind;
};

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
  ])('refuses http://%s as %s', (host, reason) => {
    expect(classifyUrl(`http://${host}/hook`)).toBe(reason);
  });

  it.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '[2606:4700::1111]', '[64:ff9b::101:101]', '[2002:101:101::1]'])(
    'lets http://%s through',
    (host) => {
      expect(classifyUrl(`http://${host}/`)).toBeUndefined();
    },
  );

  it('ignores a zone id', () => {
    expect(guard.classify('fe80::1%eth0')).toBe('link_local');
  });

  it('lets the networks of the allow-list through, in every spelling', () => {
    const allowing = createTargetGuard(['10.1.0.0/16', 'fd00::/8', '192.168.7.7']);
    expect(allowing.classify('10.1.2.3')).toBeUndefined();
    expect(allowing.classify('::ffff:10.1.2.3')).toBeUndefined();
    expect(allowing.classify('fd12::1')).toBeUndefined();
    expect(allowing.classify('192.168.7.7')).toBeUndefined();
    expect(allowing.classify('192.168.7.8')).toBe('private');
    expect(allowing.classify('10.2.0.1')).toBe('private');
  });

  it.each(['10.0.0.0/33', 'example.com/8', '10.0.0.0/', 'nonsense'])('names "%s" as no network', (cidr) => {
    expect(() => createTargetGuard([cidr])).toThrow(cidr);
  });
});

describe('endpoint URL', () => {
  it.each([
    'http://example.com',
    'https://example.com:8443/a/b?c=d',
    'HTTP://EXAMPLE.COM/',
    'http://[::1]:8080/x',
    'http://127.0.0.1:25/',
  ])('accepts %s', (url) => {
    expect(checkEndpointUrl(url).kind).toBe('valid');
  });

  it.each([
    '',
    'example.com',
    '/relative',
    '//host/path',
    'ftp://example.com',
    'file:///etc/passwd',
    'gopher://example.com',
    'http://unix:/var/run/docker.sock:/x',
    'http://user@example.com',
    'http://user:password@example.com',
    'http://@example.com',
    'http://example.com/#fragment',
    'http://example.com/#',
    'http://example.com:0/',
    'http://exa mple.com',
    ' http://example.com',
    'http:\\\\example.com',
    'http://example.com/\u0000',
    `http://example.com/${'a'.repeat(2048)}`,
  ])('refuses %j', (url) => {
    expect(checkEndpointUrl(url).kind).toBe('invalid');
  });

  it('counts exactly 2048 characters as allowed', () => {
    const base = 'http://example.com/';
    expect(checkEndpointUrl(base + 'a'.repeat(2048 - base.length)).kind).toBe('valid');
    expect(checkEndpointUrl(base + 'a'.repeat(2049 - base.length)).kind).toBe('invalid');
  });
});
