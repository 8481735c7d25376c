import { offerTrackerTool, TRACKER_TOOL_NAMES } from '../../mcp/trackers/tracker-tool-names.ts';

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
/** It changes nothing, and without it no agent hears of an approval. */
const ALWAYS = 'get_approval_status';

/** As Cursor writes a tool, which names no server. */
const WITHOUT_SERVER = /^MCP:(.+)$/is;

/**
 * The tool of `/mcp/v1` that a client means, by the name that the door gives it; undefined where it means another tool server, or a
 * tool of its own.
 */
export type ReadOwnTool = (given: {
  readonly name: string;
  readonly server?: string | undefined;
}) => string | undefined;

/** @throws Error for a name that no client takes */
export function requireDoorName(name: string): void {
  if (!NAME.test(name)) throw new Error(`"${name}" is not a valid tool server name: use letters, digits, "-" and "_"`);
}

/** @param names under which agents know this service as a tool server, beside `steward` */
export function createReadOwnTool(names: readonly string[] = []): ReadOwnTool {
  const doors = [DOOR, ...names].join('|');
  // Of a plugin or a connector of Claude Code, too.
  const door = `(?:plugin_.+_|claude_ai_)?(?:${doors})`;
  const asServer = new RegExp(`^(?:mcp[_./:]+)?${door}/*$`, 'is');
  // Server and tool in one name, as clients write it: with `mcp__`, `mcp_` or nothing in front.
  const whole = new RegExp(
    `^(?:functions\\.)?(?:mcp[_./:]+)?(?:plugin_\\w+?_|claude_ai_)?(?:${doors})(?:__|[_./:])(.+)$`,
    'is',
  );
  return ({ name: given, server = 'local' }) => {
    const name = given.trim();
    const isAlone = /^(?:mcp[_./:]+)?local\/*$/i.test(server.trim());
    const ofDoor = whole.exec(name)?.[1];
    if (isAlone) return ofDoor ?? readAlways(WITHOUT_SERVER.exec(name)?.[1] ?? name);
    // Said twice, maybe.
    return asServer.test(server.trim()) ? (ofDoor ?? name) : undefined;
  };
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
