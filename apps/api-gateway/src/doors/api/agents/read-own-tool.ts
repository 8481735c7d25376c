/** The name under which guides and `steward agents enroll` register this service as a tool server. */
const DOOR = 'steward';
/** Of a plugin or a connector of Claude Code, too. */
const SERVER = new RegExp(`^(?:mcp[_./:]+)?(?:plugin_.+_|claude_ai_)?${DOOR}/*$`, 'i');
/** Server and tool in one name, as clients write it: with `mcp__`, `mcp_` or nothing in front. */
const WHOLE = new RegExp(
  `^(?:functions\\.)?(?:mcp[_./:]+)?(?:plugin_\\w+?_|claude_ai_)?${DOOR}(?:__|[_./:])(.+)$`,
  'is',
);
/** As Cursor writes it, which names no server. */
const WITHOUT_SERVER = /^MCP:(.+)$/is;

/** Tools of the service itself. */
const BUILT_IN: ReadonlySet<string> = new Set(['ask_operator', 'get_approval_status', 'search_sessions']);
/** It changes nothing, and without it no agent hears of an approval. */
const ALWAYS = 'get_approval_status';

/**
 * The tool of `/mcp/v1` that a client means, by the name that the door gives it; undefined where it means another tool server, or a
 * tool of its own.
 */
export function readOwnTool({
  name: given,
  server = 'local',
}: {
  readonly name: string;
  readonly server?: string | undefined;
}): string | undefined {
  const name = given.trim();
  const isAlone = /^(?:mcp[_./:]+)?local\/*$/i.test(server.trim());
  const ofDoor = WHOLE.exec(name)?.[1];
  if (isAlone) return ofDoor ?? readAlways(WITHOUT_SERVER.exec(name)?.[1] ?? name);
  // Said twice, maybe.
  return SERVER.test(server.trim()) ? (ofDoor ?? name) : undefined;
}

function readAlways(name: string): string | undefined {
  return name === ALWAYS ? name : undefined;
}

export function isBuiltIn(tool: string): boolean {
  return BUILT_IN.has(tool);
}

/** Names of servers hold no underscore; undefined of a tool that is of none. */
export function readServerOf(tool: string): string | undefined {
  return /^([a-z0-9-]+)__./s.exec(tool)?.[1];
}
