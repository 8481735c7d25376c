import { offerTrackerTool, TRACKER_TOOL_NAMES } from '@steward/trackers';

/** The name under which guides and `steward agents enroll` register this service as a tool server. */
const DOOR = 'steward';
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Tools of the service itself. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'ask_operator',
  'get_approval_status',
  'search_sessions',
  ...TRACKER_TOOL_NAMES.map(offerTrackerTool),
]);
/**
 * Name of the tool that is recognized even if the client does not name its server. The tool changes nothing, and
 * without it, an agent cannot learn whether its call was approved.
 */
const ALWAYS = 'get_approval_status';

/** Notation for tools in Cursor; it does not contain the name of the server. */
const WITHOUT_SERVER = /^MCP:(.+)$/is;

/**
 * Returns the listed name of the tool of `/mcp/v1` that a client refers to; undefined for a tool of another server, or
 * of the client itself.
 */
export type ReadOwnTool = (given: {
  readonly name: string;
  readonly server?: string | undefined;
}) => string | undefined;

/**
 * Checks a name under which agents use this service as a tool server. @throws Error for a name that no client accepts
 */
export function requireServerName(name: string): void {
  if (!NAME.test(name)) throw new Error(`"${name}" is not a valid tool server name: use letters, digits, "-" and "_"`);
}

/**
 * Creates the function that recognizes the tools of `/mcp/v1`.
 * @param names names other than `steward` under which agents use this service as a tool server
 */
export function createReadOwnTool(names: readonly string[] = []): ReadOwnTool {
  const doors = [DOOR, ...names].join('|');
  // The name may have a prefix that Claude Code adds for plugins or connectors.
  const door = `(?:plugin_.+_|claude_ai_)?(?:${doors})`;
  const asServer = new RegExp(`^(?:mcp[_./:]+)?${door}/*$`, 'is');
  // Matches a name that contains server and tool, as clients write it: with or without a prefix such as `mcp__`.
  const whole = new RegExp(
    `^(?:functions\\.)?(?:mcp[_./:]+)?(?:plugin_\\w+?_|claude_ai_)?(?:${doors})(?:__|[_./:])(.+)$`,
    'is',
  );
  return ({ name: given, server = 'local' }) => {
    const name = given.trim();
    const isAlone = /^(?:mcp[_./:]+)?local\/*$/i.test(server.trim());
    const ofDoor = whole.exec(name)?.[1];
    if (isAlone) return ofDoor ?? readAlways(WITHOUT_SERVER.exec(name)?.[1] ?? name);
    // Some clients state the server both separately and in the name of the tool.
    return asServer.test(server.trim()) ? (ofDoor ?? name) : undefined;
  };
}

function readAlways(name: string): string | undefined {
  return name === ALWAYS ? name : undefined;
}

export function isBuiltIn(tool: string): boolean {
  return BUILT_IN.has(tool);
}

/**
 * Returns the server in the listed name of a tool; undefined for a tool without a server. Server names contain no
 * underscore.
 */
export function readServerOf(tool: string): string | undefined {
  return /^([a-z0-9-]+)__./s.exec(tool)?.[1];
}
