import { checkBaseUrl, MAX_BASE_URL_LENGTH, readOrigin } from './check-base-url.ts';

const NONE: readonly string[] = [];

describe('the endpoint of a provider (EMB-6)', () => {
  it.each([
    ['https://api.example.com/v1', 'https://api.example.com/v1', 'api.example.com'],
    ['HTTPS://API.example.com/v1//', 'https://api.example.com/v1', 'api.example.com'],
    ['https://api.example.com', 'https://api.example.com', 'api.example.com'],
    ['https://api.example.com.:8443/', 'https://api.example.com.:8443', 'api.example.com'],
    ['https://[2606:4700::1]/v1', 'https://[2606:4700::1]/v1', '2606:4700::1'],
  ])('accepts %s', (text, baseUrl, hostname) => {
    expect(checkBaseUrl(text, NONE)).toEqual({ kind: 'valid', baseUrl, hostname });
  });

  it.each([
    '',
    'api.example.com',
    'http://api.example.com/v1',
    'ftp://api.example.com',
    'https://',
    'https:///v1',
    'https://user@api.example.com',
    'https://user:pass@api.example.com',
    'https://@api.example.com',
    'https://api.example.com/v1?key=1',
    'https://api.example.com/v1?',
    'https://api.example.com/v1#',
    'https://api .example.com',
    'https://api.example.com/\u0000',
    'https:\\\\api.example.com',
    `https://api.example.com/${'a'.repeat(MAX_BASE_URL_LENGTH)}`,
    'https://localhost/v1',
    'https://LOCALHOST./v1',
    'https://models.localhost/v1',
    'https://127.0.0.1/v1',
    'https://127.1/v1',
    'https://2130706433/v1',
    'https://0x7f.0.0.1/v1',
    'https://[::1]/v1',
    'https://[::ffff:127.0.0.1]/v1',
  ])('refuses %j', (text) => {
    expect(checkBaseUrl(text, NONE).kind).toBe('invalid');
  });

  it.each([
    ['https://mcp.example.com/mcp/?apiKey=a%2Fb/', 'https://mcp.example.com/mcp/?apiKey=a%2Fb/'],
    ['https://mcp.example.com?key=1&b', 'https://mcp.example.com?key=1&b'],
    ['https://mcp.example.com/mcp/', 'https://mcp.example.com/mcp/'],
    ['https://mcp.example.com/mcp//', 'https://mcp.example.com/mcp//'],
    ['https://mcp.example.com/mcp?', 'https://mcp.example.com/mcp?'],
    ['https://mcp.example.com', 'https://mcp.example.com'],
  ])('is stored unchanged if it is used as the complete URL: %s', (text, baseUrl) => {
    const fields = { field: 'url', secret: 'headers', isWhole: true };
    expect(checkBaseUrl(text, NONE, fields)).toMatchObject({ kind: 'valid', baseUrl });
    expect(checkBaseUrl(`${text}#x`, NONE, fields)).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('fragment') as string,
    });
    expect(checkBaseUrl('https://user@mcp.example.com/?key=1', NONE, fields).kind).toBe('invalid');
  });

  it('accepts any URL of an origin that the operator allowed, and no other', () => {
    const named = ['http://127.0.0.1:9100/', 'http://LOCALHOST:80'].map(readOrigin);
    expect(checkBaseUrl('http://127.0.0.1:9100/v1/', named)).toEqual({
      kind: 'valid',
      baseUrl: 'http://127.0.0.1:9100/v1',
      hostname: undefined,
    });
    expect(checkBaseUrl('http://localhost/v1', named).kind).toBe('valid');
    for (const other of ['http://127.0.0.1:9101/v1', 'https://127.0.0.1:9100/v1', 'http://user@127.0.0.1:9100'])
      expect(checkBaseUrl(other, named).kind).toBe('invalid');
  });

  it.each(['', 'localhost:9100', 'http://', 'http://a/b', 'http://a?b', 'ftp://a', '*'])(
    'does not recognize %j as an origin',
    (text) => {
      expect(() => readOrigin(text)).toThrow(/is not an origin/);
    },
  );
});
