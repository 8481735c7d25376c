const MAX_LENGTH = 300;
/**
 * Matches origins without characters that would end a source in a content security policy: `;` and `,` are valid in
 * hosts of URLs.
 */
const ORIGIN = /^https?:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns whether the text is an origin whose pages may contain the portal (https, or http on this machine), written as
 * browsers write origins. Wildcards are refused, since the pages of the matching origins may belong to anyone.
 */
export function isFrameOrigin(text: string): boolean {
  if (text.length > MAX_LENGTH || !ORIGIN.test(text) || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === 'https:' || LOOPBACK.has(hostname));
}
