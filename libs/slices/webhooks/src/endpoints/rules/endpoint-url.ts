export const MAX_URL_LENGTH = 2048;

export type EndpointUrl =
  { readonly kind: 'valid'; readonly hostname: string } | { readonly kind: 'invalid'; readonly message: string };

// eslint-disable-next-line no-control-regex -- the URL parser drops them silently; a stored URL must be what is dialled.
const UNSAFE = /[\s\\\u0000-\u001f\u007f]/;

/** Checks a receiver URL (HOOK-5): absolute http or https, at most 2048 characters, no credentials, no fragment. */
export function checkEndpointUrl(text: string): EndpointUrl {
  const invalid = (message: string): EndpointUrl => ({ kind: 'invalid', message });
  if (text.length > MAX_URL_LENGTH) return invalid(`The URL is longer than ${MAX_URL_LENGTH} characters.`);
  if (UNSAFE.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) {
    return invalid('The URL must be absolute and start with http:// or https://.');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
    return invalid('The URL must not contain a user name or password.');
  }
  // Also the form some clients read as a Unix socket (http://unix:/path).
  if (/^https?:\/\/[^/?#]*:(?:[/?#]|$)/i.test(text)) return invalid('The URL has a colon without a port.');
  if (text.includes('#')) return invalid('The URL must not contain a fragment.');
  if (url.port === '0') return invalid('The URL names port 0, which cannot be connected to.');
  return { kind: 'valid', hostname: url.hostname.replace(/^\[|\]$/g, '') };
}
