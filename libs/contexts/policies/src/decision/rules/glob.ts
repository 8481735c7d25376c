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

/** One form of a pattern for tools, split into its server part and its tool part. */
export interface ToolPattern {
  readonly server: string;
  readonly tool: string;
}

/**
 * Returns the forms of a pattern for tools; the pattern matches what any of them matches. If the tool part of a pattern
 * for all servers is SERVER__TOOL, the pattern has a second form, because a tool of a server has this name in
 * `/mcp/v1`.
 */
export function splitToolPattern(pattern: string): readonly [ToolPattern, ...ToolPattern[]] {
  const form = readForm(pattern);
  const [, server, tool] = (form.server === '*' ? /^([^*]+?)__(.+)$/s.exec(form.tool) : null) ?? [];
  return server === undefined || tool === undefined ? [form] : [form, { server, tool }];
}

/**
 * Splits a pattern at its slash. A pattern without a slash matches tools of all servers, except the forms
 * `mcp__SERVER__TOOL` and `mcp__SERVER` (all tools of the server), which are the notation of coding agents. The pattern
 * `*` matches every tool.
 */
function readForm(pattern: string): ToolPattern {
  const slash = pattern.indexOf('/');
  if (slash !== -1) return { server: pattern.slice(0, slash), tool: pattern.slice(slash + 1) };
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(pattern) ?? [];
  if (server !== undefined && tool !== undefined) return { server, tool };
  const whole = /^mcp__([^*]+)$/.exec(pattern)?.[1];
  return whole === undefined ? { server: '*', tool: pattern } : { server: whole, tool: '*' };
}

export function compileToolPattern(pattern: string): (server: string, tool: string) => boolean {
  const forms = splitToolPattern(pattern).map(compileForm);
  return (server, tool) => forms.some((matches) => matches({ server, tool }));
}

/** A tool pattern, prepared for comparison with others. */
export interface PatternCover {
  readonly forms: readonly ToolPattern[];
  /**
   * Returns true if this pattern matches everything that the forms `narrow` match; a star in `narrow` is treated as an
   * ordinary character.
   */
  readonly covers: (narrow: readonly ToolPattern[]) => boolean;
}

export function compileCover(text: string): PatternCover {
  const forms = splitToolPattern(text);
  const matchers = forms.map(compileForm);
  return { forms, covers: (narrow) => narrow.every((form) => matchers.some((matches) => matches(form))) };
}

function compileForm({ server, tool }: ToolPattern): (name: ToolPattern) => boolean {
  const [matchesServer, matchesTool] = [compileGlob(server), compileGlob(tool)];
  return (name) => matchesServer(name.server) && matchesTool(name.tool);
}
