import type { RequestHandler } from 'express';
import type { Check } from './run-checks.ts';
import { AppError } from '@steward/contracts';

/**
 * Refuses a request with more than one Host header: a proxy in front of the service might use another one of these
 * headers than the service does (API-5).
 */
export const requireOneHost: Check = ({ rawHeaders }) => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1) throw new AppError('bad_request', { message: 'The request has more than one Host header.' });
};

/** Matches escaped characters that never need to be escaped (RFC 3986, 2.3). */
const NEEDLESS_ESCAPE = /%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/**
 * Decodes unnecessary escapes in the path, because Express matches the undecoded path and decodes only the parameters:
 * `/api/v1/fl%6Fws` is treated as `/api/v1/flows`. A path with an invalid escape sequence is rejected, and one with an
 * empty segment is treated as unknown (API-8).
 */
export const requireReadablePath: Check = (request) => {
  const { url } = request;
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  if (path.includes('//')) throw new AppError('not_found', NO_PATH);
  if (!path.includes('%')) return;
  if (!isDecodable(path))
    throw new AppError('bad_request', { message: 'The request path is not valid percent-encoding.' });
  const written = path.replaceAll(NEEDLESS_ESCAPE, decodeURIComponent);
  request.url = mark === -1 ? written : written + url.slice(mark);
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const NO_PATH = { message: 'There is no such path.' };

/** Refuses a request for a path without a route. */
export const refusePath: RequestHandler = () => {
  throw new AppError('not_found', NO_PATH);
};

/**
 * Removes scheme and host from a target; some proxies send targets with both. Express would parse such a target with
 * `url.parse`, which throws for some targets.
 */
export function toOriginForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const rest = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
