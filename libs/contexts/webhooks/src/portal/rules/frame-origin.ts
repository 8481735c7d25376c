const MAX_LENGTH = 300;
/**
 * Matches origins without characters that would end a source in a content security policy: `;` and `,` are valid in
 * hosts of URLs.
 */
const ORIGIN = /^https?:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns whether the text is an origin, in the form in which browsers write it, whose pages may contain the portal:
 * https, or http on this machine. Wildcards are refused, since the pages of such a set of origins may belong to anyone.
 */
export function isFrameOrigin(text: string): boolean {
  if (text.length > MAX_LENGTH || !ORIGIN.test(text) || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === 'https:' || LOOPBACK.has(hostname));
}
