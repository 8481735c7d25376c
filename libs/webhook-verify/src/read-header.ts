/** Headers as represented by the web platform, Node, express and Fastify. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads a header, ignoring the case of its name; several values are joined with commas, as in HTTP. Returns undefined
 * if the header is absent or empty.
 */
export function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  const value = isFetchHeaders(headers) ? headers.get(name) : findValue(headers, name);
  const text = typeof value === 'object' && value !== null ? value.join(',') : value;
  return text === null || text === undefined || text.trim() === '' ? undefined : text.trim();
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function findValue(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | readonly string[] | undefined {
  const wanted = name.toLowerCase();
  // Node converts the names to lower case; API gateways and functions keep the sender's capitalization.
  if (headers[wanted] !== undefined) return headers[wanted];
  return Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
}
