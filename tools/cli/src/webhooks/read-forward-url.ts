import { readBaseUrl } from '../config/base-url.ts';

/** The path and query of a forward URL stay unchanged. @throws refused if it is not a URL that may be used */
export function readForwardUrl(text: string, flag: string): string {
  readBaseUrl(text, flag);
  return new URL(text).href;
}
