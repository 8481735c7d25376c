/** Servers may have equal URIs: agents see each with the name of its server in front. */
const OFFERED = /^mcp\+([a-z0-9-]{1,20})\+(.*)$/s;

/** A URI, or a template of URIs, of a server. */
export function exposeUri(server: string, uri: string): string {
  return `mcp+${server}+${uri}`;
}

export interface OfferedUri {
  /** Undefined: it is as its server says it. */
  readonly server: string | undefined;
  readonly uri: string;
}

export function readUri(text: string): OfferedUri {
  const [, server, uri] = OFFERED.exec(text) ?? [];
  return server === undefined || uri === undefined ? { server: undefined, uri: text } : { server, uri };
}

/** Whether a URI may be made of a template: what stands before its first expression is compared. */
export function mayBeOf(template: string, uri: string): boolean {
  const begin = template.indexOf('{');
  return begin === -1 ? uri === template : uri.startsWith(template.slice(0, begin));
}
