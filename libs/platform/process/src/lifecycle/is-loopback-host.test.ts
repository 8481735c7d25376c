import { isLoopbackHost } from './is-loopback-host.ts';

describe('the address a port is bound to', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost'])(
    '%s is reached from this machine alone',
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '127.example.com', 'gateway', ''])(
    '%s is reached from elsewhere, or may be',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );
});
