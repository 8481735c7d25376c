import { createTargetGuard } from './target-guard.ts';

export const MAX_BASE_URL_LENGTH = 500;

export type BaseUrl =
  | {
      readonly kind: 'valid';
      /**
       * Address without a trailing slash, since paths are appended. An address to which no paths are appended
       * (`isWhole`) is returned unchanged.
       */
      readonly baseUrl: string;
      /**
       * Host name, which must be resolved and checked before a connection is opened; undefined for an origin that the
       * operator has allowed.
       */
      readonly hostname: string | undefined;
    }
  | { readonly kind: 'invalid'; readonly message: string };

interface AddressFields {
  readonly field: string;
  readonly secret: string;
  readonly isWhole?: boolean;
}

// eslint-disable-next-line no-control-regex -- the URL parser drops them silently; the stored URL must be the used one
const UNSAFE = /[\s\\\u0000-\u001f\u007f]/;

/**
 * Checks the URL of a provider's endpoint (EMB-6). It must be absolute, use https, contain no credentials, query or
 * fragment, and not lead to this machine. An origin that the operator has allowed may use http or a loopback address.
 *
 * @param insecureOrigins - origins for which http is allowed, in the format that `readOrigin` returns
 * @param fields - names that messages use for the address and for the field with the credentials; `isWhole` is true if
 *   the address may have a query, because it is requested without an appended path
 */
export function checkBaseUrl(
  text: string,
  insecureOrigins: readonly string[],
  { field, secret, isWhole = false }: AddressFields = { field: 'base_url', secret: 'api_key' },
): BaseUrl {
  const invalid = (message: string): BaseUrl => ({ kind: 'invalid', message });
  if (text.length > MAX_BASE_URL_LENGTH) return invalid(`${field} is longer than ${MAX_BASE_URL_LENGTH} characters.`);
  if (UNSAFE.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) {
    return invalid(`${field} must be an absolute URL that starts with https://.`);
  }
  const url = new URL(text);
  // The pattern also matches empty credentials.
  if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    return invalid(`${field} must not contain credentials; send them as "${secret}".`);
  }
  const refused = isWhole ? /#/ : /[?#]/;
  if (refused.test(text)) return invalid(`${field} must not have ${isWhole ? '' : 'a query or '}a fragment.`);
  const baseUrl = isWhole ? text : url.href.replace(/[/?]+$/, '');
  if (insecureOrigins.includes(url.origin)) return { kind: 'valid', baseUrl, hostname: undefined };
  if (url.protocol !== 'https:') return invalid(`${field} must start with https://.`);
  const hostname = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isThisMachine(hostname)
    ? invalid(`${field} must not point to this machine.`)
    : { kind: 'valid', baseUrl, hostname };
}

function isThisMachine(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  return createTargetGuard().classify(hostname) === 'loopback';
}

/**
 * Returns an origin, `scheme://host:port`, in the normalized form that is used for comparisons.
 * @throws Error if the string is not an origin
 */
export function readOrigin(text: string): string {
  if (!/^https?:\/\/[^/?#@\s]+\/?$/i.test(text) || !URL.canParse(text)) {
    throw new Error(`"${text}" is not an origin like http://127.0.0.1:9100`);
  }
  return new URL(text).origin;
}
