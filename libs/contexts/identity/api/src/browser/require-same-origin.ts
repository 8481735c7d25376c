import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@steward/contracts';
import { isLoopbackHost } from '@steward/process';

/** Refuses a request that a page of another origin made. @throws cross_origin_request */
export type RequireSameOrigin = (headers: IncomingHttpHeaders) => void;

/**
 * Creates the check of the requesting page. `SameSite=Strict` of the cookie is not sufficient, because a page on
 * another port of this host is same-site: only the headers that describe the requesting page show its origin. If the
 * service is reached over plain HTTP by a host name in a local network, browsers send only the `Origin` header. A
 * foreign name that temporarily resolves to this address (DNS rebinding) is a different host for the browser, which
 * therefore does not send the cookie. If an address is configured (`PUBLIC_URL`), pages at other addresses are refused,
 * except for loopback names, which no name server resolves.
 */
export function createSameOriginRule({ publicUrl }: { readonly publicUrl: string }): RequireSameOrigin {
  const { origin: ownOrigin, hostname } = new URL(publicUrl);
  // The default value that `npm start` and compose use is a loopback address: it does not say how other machines reach
  // this service.
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
