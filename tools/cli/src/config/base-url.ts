import { refuse } from '../exit-codes.ts';

/**
 * Returns the service's URL without a trailing slash or the API prefix.
 * @throws refused; the error never repeats the value
 */
export function readBaseUrl(text: string, source: string): string {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw refuse(`${source} is not a URL such as https://steward.example.com`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse(`${source} must begin with https:// or http://`);
  if (url.username !== '' || url.password !== '') throw refuse(`${source} must not contain a username or password`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}`;
}
