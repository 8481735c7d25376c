import { readBaseUrl } from '../config/base-url.ts';

/**
 * Reads a forward URL, whose path and query are used unchanged.
 * @throws refused if it is not a URL that may be used
 */
export function readForwardUrl(text: string, flag: string): string {
  readBaseUrl(text, flag);
  return new URL(text).href;
}
