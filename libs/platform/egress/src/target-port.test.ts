import { isAllowedPort, readPort } from './target-port.ts';

describe('ports of webhook targets', () => {
  it.each([
    ['http://example.com/', 80],
    ['https://example.com/', 443],
    ['https://example.com:8443/', 8443],
    ['http://example.com:443/', 443],
    ['http://[2001:db8::1]:25/', 25],
  ])('for %s: port %i', (url, port) => {
    expect(readPort(new URL(url))).toBe(port);
  });

  it('are unrestricted without a list, and otherwise limited to those in the list', () => {
    expect(isAllowedPort(25, [])).toBe(true);
    expect(isAllowedPort(443, [80, 443])).toBe(true);
    expect(isAllowedPort(25, [80, 443])).toBe(false);
  });
});
