import { checkEndpointUrl } from './endpoint-url.ts';

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

  it.each([
    ['https://hooks.example.com/x ', 'begins or ends'],
    ['https://hooks.example.com/x\u200b', 'begins or ends'],
    ['https://hooks.exa mple.com/', 'invisible'],
    ['https://hooks.example.com/a\u200bb', 'invisible'],
    ['https://hooks.example.com:99999/', 'port above 65535'],
    ['https:\\\\example.com', 'backslash'],
    ['https://[::1', 'host cannot be parsed'],
    ['hooks.example.com', 'must be absolute'],
  ])('reports what is wrong with %j: %s', (url, message) => {
    expect(checkEndpointUrl(url)).toMatchObject({ kind: 'invalid', message: expect.stringContaining(message) });
  });

  it('accepts exactly 2048 characters', () => {
    const base = 'http://example.com/';
    expect(checkEndpointUrl(base + 'a'.repeat(2048 - base.length)).kind).toBe('valid');
    expect(checkEndpointUrl(base + 'a'.repeat(2049 - base.length)).kind).toBe('invalid');
  });
});
