import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@steward/contracts';

/**
 * A cookie goes along whoever asks, and a page at another port of this host is of the same site: only what browsers say of the page
 * that asks tells them apart. On plain http of a name in a local network they say its origin alone.
 * @throws cross_origin_request
 */
export function requireSameOrigin(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined ? !isOwnOrigin(headers) : site !== 'same-origin') throw new AppError('cross_origin_request');
}

function isOwnOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
