/**
 * Server and tool of a name as agents write it: `mcp__github__create_issue` (coding agents) and `github__create_issue` (through
 * `/mcp/v1`) are a tool of github, everything else is local.
 */
export function readToolName(text: string): { readonly server: string; readonly name: string } {
  const [, server, name] = /^(?:mcp__)?([a-zA-Z0-9_-]+?)__(.+)$/.exec(text) ?? [];
  return server === undefined || name === undefined ? { server: 'local', name: text } : { server, name };
}
