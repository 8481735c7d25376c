import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@steward/contracts';
import { isLoopbackHost } from '@steward/process';

/** @throws cross_origin_request */
export type RequireSameOrigin = (headers: IncomingHttpHeaders) => void;

/**
 * A cookie goes along whoever asks, and a page at another port of this host is of the same site: only what browsers say of the page
 * that asks tells them apart. On plain http of a name in a local network they say its origin alone.
 *
 * A foreign name that leads to this address for a moment (DNS rebinding) is its own origin for a browser. Where people are given an
 * address (`PUBLIC_URL`) pages at no other one are believed, but for loopback names: no name server decides where these lead.
 */
export function createSameOriginRule({ publicUrl }: { readonly publicUrl: string }): RequireSameOrigin {
  const { origin: ownOrigin, hostname } = new URL(publicUrl);
  // That of `npm start` and compose, which says nothing of how others reach this machine.
  const isAddressGiven = !isLoopback(hostname);
  return ({ origin, host, 'sec-fetch-site': site }) => {
    const isBelieved = origin === undefined ? site !== undefined : isOwnOrigin(origin, { host, site });
    if (!isBelieved || (site !== undefined && site !== 'same-origin')) throw new AppError('cross_origin_request');
  };

  function isOwnOrigin(
    origin: string,
    { host, site }: { readonly host: string | undefined; readonly site: string | string[] | undefined },
  ): boolean {
    if (!isAddressGiven && site !== undefined) return true;
    if (isAddressGiven && origin === ownOrigin) return true;
    if (!URL.canParse(origin)) return false;
    const page = new URL(origin);
    return page.host === host && (!isAddressGiven || isLoopback(page.hostname));
  }
}

function isLoopback(hostname: string): boolean {
  return isLoopbackHost(hostname.replace(/^\[(.*)\]$/, '$1'));
}
