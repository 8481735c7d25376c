const MAX_HEADERS = 20;
const MAX_SIZE_CHARACTERS = 8192;
const NAME = /^[!#$%&'*+.^_`|~a-z0-9-]+$/i;
/**
 * Matches valid header values: printable ASCII characters, without a space at either end, because an HTTP
 * implementation would remove it.
 */
const VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
/**
 * Matches the names of headers that the HTTP client or the protocol sets; a value set by the account would break the
 * connection or the protocol.
 */
const RESERVED =
  /^(accept|connection|content-.*|expect|host|keep-alive|last-event-id|mcp-.*|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * Returns the reason why headers cannot be sent to a tool server; undefined if they can be sent (MCP-4). The reason
 * contains no value of a header.
 */
export function findHeaderFault(headers: Readonly<Record<string, string>>): string | undefined {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return `contain more than ${MAX_HEADERS} headers.`;
  if (JSON.stringify(headers).length > MAX_SIZE_CHARACTERS) return `are longer than ${MAX_SIZE_CHARACTERS} characters.`;
  const names = entries.map(([name]) => name.toLowerCase());
  if (!names.every((name) => NAME.test(name))) return 'contain an invalid header name.';
  if (new Set(names).size < names.length) return 'contain a name twice.';
  const reserved = names.find((name) => RESERVED.test(name));
  if (reserved !== undefined) return `must not contain ${reserved}, which the connection sets.`;
  const unsendable = entries.find(([, value]) => !VALUE.test(value));
  return unsendable === undefined ? undefined : `contain a value for ${unsendable[0]} that cannot be sent.`;
}
