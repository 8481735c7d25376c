/** Compiles a pattern in which * matches any characters and all other characters match themselves. */
export function compileGlob(pattern: string): (text: string) => boolean {
  if (!pattern.includes('*')) return (text) => text === pattern;
  const parts = pattern.split('*');
  return (text) => matchParts(parts, text);
}

/**
 * Returns whether the parts of a pattern occur in the string: the first part at its start, the last part at its end,
 * and the others in between, from left to right. No backtracking is needed.
 */
function matchParts(parts: readonly string[], text: string): boolean {
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, from);
    if (found === -1 || found + part.length > end) return false;
    from = found + part.length;
  }
  return true;
}

/** A pattern for tools, split into its server part and its tool part. */
export interface ToolPattern {
  readonly server: string;
  readonly tool: string;
}

/**
 * Splits a pattern for tools. A pattern without a slash matches tools of all servers, except the forms
 * `mcp__SERVER__TOOL` and `mcp__SERVER` (all tools of the server), which are the notation of coding agents. The pattern
 * `*` matches every tool.
 */
export function splitToolPattern(pattern: string): ToolPattern {
  const slash = pattern.indexOf('/');
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(pattern) ?? [];
  if (slash === -1 && server !== undefined && tool !== undefined) return { server, tool };
  const whole = /^mcp__([^*]+)$/.exec(pattern)?.[1];
  if (slash === -1 && whole !== undefined) return { server: whole, tool: '*' };
  if (slash === -1) return { server: '*', tool: pattern };
  return { server: pattern.slice(0, slash), tool: pattern.slice(slash + 1) };
}

export function compileToolPattern(pattern: string): (server: string, tool: string) => boolean {
  const { server, tool } = splitToolPattern(pattern);
  const [matchesServer, matchesTool] = [compileGlob(server), compileGlob(tool)];
  const [, exposedServer, exposedTool] = (server === '*' ? /^([^*]+?)__(.+)$/s.exec(tool) : null) ?? [];
  if (exposedServer === undefined || exposedTool === undefined)
    return (ofServer, name) => matchesServer(ofServer) && matchesTool(name);
  // The pattern has the form SERVER__TOOL, so it also matches the tool that has this name in `/mcp/v1`.
  const matchesExposed = compileGlob(exposedTool);
  return (ofServer, name) => matchesTool(name) || (ofServer === exposedServer && matchesExposed(name));
}

/** A tool pattern, prepared for comparison with others. */
export interface PatternCover {
  readonly pattern: ToolPattern;
  /**
   * Returns true if this pattern matches everything that `narrow` matches: a star in `narrow` is treated as an ordinary
   * character.
   */
  readonly covers: (narrow: ToolPattern) => boolean;
}

export function compileCover(text: string): PatternCover {
  const pattern = splitToolPattern(text);
  const [coversServer, coversTool] = [compileGlob(pattern.server), compileGlob(pattern.tool)];
  return { pattern, covers: ({ server, tool }) => coversServer(server) && coversTool(tool) };
}
