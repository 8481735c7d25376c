import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/**
 * The client address of a request: the first address of its X-Forwarded-For, seen from here, that is no trusted proxy.
 */
export function createReadAddress(trustedProxies: readonly string[]): (message: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (message) => message.socket.remoteAddress ?? '';
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (message) => proxyAddr(message, isTrusted) ?? '';
}
