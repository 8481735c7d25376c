import { isIP } from 'node:net';
import express from 'express';

/** Names of networks that Express accepts instead of addresses. */
const NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Checks one entry of `trustedProxies` before the server is created. A plain number is rejected: Express would
 * interpret it as an address, but it is probably meant as a number of proxies.
 *
 * @throws Error naming the entry
 */
export function requireTrustedProxy(entry: string): void {
  if (NAMES.includes(entry)) return;
  const address = entry.split('/', 1)[0] ?? '';
  if (isIP(address) !== 0 && isAccepted(entry)) return;
  throw new Error(`"${entry}" is not an address, a network like 10.0.0.0/8 or one of ${NAMES.join(', ')}`);
}

function isAccepted(entry: string): boolean {
  try {
    express().set('trust proxy', [entry]);
    return true;
  } catch {
    return false;
  }
}
