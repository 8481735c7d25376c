import { allowsDestination, mayCarrySecret, readAllowedDestination } from './network-allow.ts';

describe('an entry of network_allow (FLOW-48)', () => {
  it.each([
    ['api.example.com', { host: 'api.example.com', isWildcard: false, ports: [80, 443] }],
    ['API.Example.com.:8443', { host: 'api.example.com', isWildcard: false, ports: [8443] }],
    ['*.example.com', { host: 'example.com', isWildcard: true, ports: [80, 443] }],
    ['*', { host: '', isWildcard: true, ports: [80, 443] }],
    ['*:5432', { host: '', isWildcard: true, ports: [5432] }],
    ['10.0.0.5:5432', { host: '10.0.0.5', isWildcard: false, ports: [5432] }],
    ['[2001:DB8:0::1]:443', { host: '2001:db8::1', isWildcard: false, ports: [443] }],
    ['[::ffff:a9fe:a9fe]', { host: '169.254.169.254', isWildcard: false, ports: [80, 443] }],
    ['db_1:1', { host: 'db_1', isWildcard: false, ports: [1] }],
  ])('%s', (text, read) => {
    expect(readAllowedDestination(text)).toEqual(read);
  });

  it.each([
    '',
    ' ',
    'a b',
    'https://a.example',
    'a.example/x',
    'user@a.example',
    'a.example:0',
    'a.example:65536',
    'a.example:http',
    'a..example',
    '.example',
    '-a.example',
    '*example.com',
    '*.*.example',
    'a.*.example',
    '**',
    '*.10.0.0.5',
    '2001:db8::1',
    '[2001:db8::zz]',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '10.0.0.5/8',
    'a.example\nb.example',
  ])('is refused: %j', (text) => {
    expect(readAllowedDestination(text)).toBeUndefined();
  });

  it.each([
    ['a.example', 'a.example', 443, true],
    ['a.example', 'a.example', 8080, false],
    ['a.example', 'b.a.example', 443, false],
    ['*.example', 'a.b.example', 80, true],
    ['*.example', 'example', 443, false],
    ['*.example', 'notexample', 443, false],
    ['*', '192.0.2.1', 443, true],
    ['*', 'x', 22, false],
    ['*:22', 'x', 22, true],
  ])('%s allows %s:%i: %s', (entry, host, port, isAllowed) => {
    const read = readAllowedDestination(entry);
    if (read === undefined) throw new Error(entry);
    expect(allowsDestination(read, { host, port })).toBe(isAllowed);
  });

  it.each([
    ['Authorization', true],
    ['x-api-key', true],
    ['Host', false],
    ['Transfer-Encoding', false],
    ['proxy-authorization', false],
    ['a b', false],
    ['', false],
    ['x\r\ny', false],
  ])('a secret in the header %j: %s', (header, may) => {
    expect(mayCarrySecret(header)).toBe(may);
  });
});
