/**
 * Matches a URI in the form that agents see. Several servers may use the same URI, so this form begins with the name of
 * the server.
 */
const OFFERED = /^mcp\+([a-z0-9-]{1,20})\+(.*)$/s;

/** Returns a URI, or a URI template, of a server in the form that agents see. */
export function exposeUri(server: string, uri: string): string {
  return `mcp+${server}+${uri}`;
}

export interface OfferedUri {
  /** Name of the server, from the prefix of the URI; undefined if the URI has no such prefix. */
  readonly server: string | undefined;
  readonly uri: string;
}

export function readUri(text: string): OfferedUri {
  const [, server, uri] = OFFERED.exec(text) ?? [];
  return server === undefined || uri === undefined ? { server: undefined, uri: text } : { server, uri };
}

/**
 * Returns whether a URI may match a template: only the part of the template before the first expression is compared.
 */
export function mayBeOf(template: string, uri: string): boolean {
  const begin = template.indexOf('{');
  return begin === -1 ? uri === template : uri.startsWith(template.slice(0, begin));
}
