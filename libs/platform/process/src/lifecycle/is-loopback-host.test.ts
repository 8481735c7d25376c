import { isLoopbackHost } from './is-loopback-host.ts';

describe('the bind address of a port', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost'])(
    '%s is reachable only from this machine',
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '127.example.com', 'gateway', ''])(
    '%s may be reachable from other machines',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );
});
