export const MAX_URL_LENGTH = 2048;
const MAX_PORT = 65_535;

export type EndpointUrl =
  { readonly kind: 'valid'; readonly hostname: string } | { readonly kind: 'invalid'; readonly message: string };

// eslint-disable-next-line no-control-regex -- the URL parser drops them silently; the stored URL must be the used one
const UNSAFE = /[\s\u0000-\u001f\u007f]|\p{Default_Ignorable_Code_Point}/u;
const EDGES = /^[\s\p{Default_Ignorable_Code_Point}]+|[\s\p{Default_Ignorable_Code_Point}]+$/gu;
const PORT = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i;

/** Checks a receiver URL (HOOK-5): absolute http or https, at most 2048 characters, no credentials, no fragment. */
export function checkEndpointUrl(text: string): EndpointUrl {
  const problem = findUnreadable(text) ?? findUnwanted(text);
  if (problem !== undefined) return { kind: 'invalid', message: problem };
  return { kind: 'valid', hostname: new URL(text).hostname.replace(/^\[|\]$/g, '') };
}

/** Returns a message if the text is not a valid http or https URL; undefined otherwise. */
function findUnreadable(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `The URL is longer than ${MAX_URL_LENGTH} characters.`;
  if (UNSAFE.test(text.replace(EDGES, ''))) return 'The URL contains a space or an invisible character.';
  if (UNSAFE.test(text)) return 'The URL begins or ends with a space or a line break.';
  if (text.includes('\\')) return 'The URL has a backslash; write "/".';
  if (!/^https?:\/\/[^/]/i.test(text)) return 'The URL must be absolute and start with http:// or https://.';
  if (Number(PORT.exec(text)?.[1] ?? 0) > MAX_PORT) return `The URL has a port above ${MAX_PORT}.`;
  return URL.canParse(text) ? undefined : 'The URL is not valid: its host cannot be parsed.';
}

/** Returns a message if a valid URL contains a part that is not allowed in a receiver URL; undefined otherwise. */
function findUnwanted(text: string): string | undefined {
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text))
    return 'The URL must not contain a user name or password.';
  // This condition also excludes the form that some clients interpret as a Unix socket (http://unix:/path).
  if (/^https?:\/\/[^/?#]*:(?:[/?#]|$)/i.test(text)) return 'The URL has a colon without a port.';
  if (text.includes('#')) return 'The URL must not contain a fragment.';
  return url.port === '0' ? 'The URL has port 0, which cannot be connected to.' : undefined;
}
