/** Servers may have equal URIs: agents see each URI with the name of its server as a prefix. */
const OFFERED = /^mcp\+([a-z0-9-]{1,20})\+(.*)$/s;

/** A URI, or a URI template, of a server. */
export function exposeUri(server: string, uri: string): string {
  return `mcp+${server}+${uri}`;
}

export interface OfferedUri {
  /** Undefined: the URI does not have a server name as a prefix. */
  readonly server: string | undefined;
  readonly uri: string;
}

export function readUri(text: string): OfferedUri {
  const [, server, uri] = OFFERED.exec(text) ?? [];
  return server === undefined || uri === undefined ? { server: undefined, uri: text } : { server, uri };
}

/** Whether a URI may match a template: the part before its first expression is compared. */
export function mayBeOf(template: string, uri: string): boolean {
  const begin = template.indexOf('{');
  return begin === -1 ? uri === template : uri.startsWith(template.slice(0, begin));
}
