import { requireTrustedProxy } from './require-trusted-proxy.ts';

describe('the list of trusted proxies', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '10.0.0.0/255.0.0.0', '::1', 'fd00::/8', 'loopback', 'uniquelocal'])(
    'accepts %s',
    (entry) => {
      expect(() => requireTrustedProxy(entry)).not.toThrow();
    },
  );

  it.each(['garbage', '1', 'true', '10.0.0', '10.0.0.0/33', '10.0.0.0/', 'fd00::/129', 'proxy.example.com', '*'])(
    'reports %s as invalid',
    (entry) => {
      expect(() => requireTrustedProxy(entry)).toThrow(`"${entry}" is not an address, a network`);
    },
  );
});
