export interface ToolName {
  readonly server: string;
  readonly name: string;
}

export interface ReadToolName {
  /** The tool that the name most likely means. */
  readonly tool: ToolName;
  /** Other possible tools: a rule that denies or holds one of them counts too. */
  readonly otherReadings: readonly ToolName[];
}

const LOCAL = 'local';
/** More candidates than any real name has: each is looked up. */
const MAX_SPLITS = 8;
/** Prefixes that clients put before tools of servers. */
const PREFIX = /^(?:functions\.)?mcp[_./:]+/i;
/** The prefix that shows where the server name ends: it ends at the next two underscores. */
const PLAIN_PREFIX = /^(?:functions\.)?mcp__/i;
/** Claude Code's name for the server of a plugin: `plugin_PLUGIN_SERVER`, both of which may contain underscores. */
const PLUGIN = /^plugin_./i;
/**
 * Claude Code's name for a connector of the user's account: `claude_ai_NAME`, with underscores for blanks and other
 * characters.
 */
const CONNECTOR = /^claude_ai_(?=.)/i;

/**
 * Server and tool of a name as written by clients, either complete or with a separate server:
 * `mcp__github__create_issue` of coding agents, `github__create_issue` of `/mcp/v1`, `github/create_issue` of policies
 * (POL-23). The only parser for every surface that receives a name; a tool that the service itself calls is identified
 * by its own name.
 */
export function readToolName(given: { readonly name: string; readonly server?: string | undefined }): ReadToolName {
  const name = given.name.trim();
  const server = readServer(given.server ?? '');
  return server === LOCAL ? readAlone(name) : readBeside(server, name);
}

function readServer(text: string): string {
  const server = text.trim().replace(PREFIX, '').replace(/\/+$/, '');
  return server === '' || fold(server) === LOCAL ? LOCAL : server;
}

function readAlone(name: string): ReadToolName {
  const local = { server: LOCAL, name };
  const meant = PLAIN_PREFIX.test(name) ? splitAt(/__/g, name.replace(PLAIN_PREFIX, '')) : [];
  // With the prefix, the name does not mean a built-in tool of the agent.
  if (meant[0] !== undefined) return { tool: meant[0], otherReadings: withPlugins(listSplits(name)) };
  const tool = [...splitAt(/__/g, name), ...splitAt(/\//g, name)][0] ?? local;
  const isUnclear = PREFIX.test(name) && !PLAIN_PREFIX.test(name);
  return { tool: isUnclear ? local : tool, otherReadings: withPlugins([local, tool, ...listSplits(name)]) };
}

function readBeside(server: string, name: string): ReadToolName {
  const splits = listSplits(name);
  // The server is named twice, in the name and separately.
  const own = splits.find((reading) => fold(reading.server) === fold(server));
  const tool = { server, name: own?.name ?? name };
  // If a server's name contains two underscores, splitting the full name ends the server name too early.
  const joined = splitAt(/__/g, `${server}__${name}`);
  const others = PREFIX.test(name) || /[./:]/.test(name) ? splits : [];
  const ofServer = others.map((reading) => ({ server, name: reading.name }));
  return { tool, otherReadings: withPlugins([tool, { server, name }, ...joined, ...others, ...ofServer]) };
}

/** Every way to split a name in two; at single underscores if the prefix was written with one. */
function listSplits(name: string): ToolName[] {
  const bare = name.replace(PREFIX, '');
  const single = /^(?:functions\.)?mcp_(?!_)/i.test(name) ? splitAt(/_/g, bare) : [];
  return [...splitAt(/__/g, bare), ...splitAt(/[./:]/g, bare), ...single];
}

/** Splits with characters on both sides, from left to right. */
function splitAt(separator: RegExp, text: string): ToolName[] {
  return [...text.matchAll(separator)]
    .map(({ index, 0: { length } }) => ({ server: text.slice(0, index), name: text.slice(index + length) }))
    .filter(({ server, name }) => server !== '' && name !== '' && !server.includes('/'))
    .slice(0, MAX_SPLITS)
    .map(({ server, name }) => ({ server: readServer(server), name }));
}

/** Adds the servers that a name with underscores may mean: names in Steward contain none. */
function withPlugins(readings: readonly ToolName[]): ToolName[] {
  return readings.flatMap(({ server, name }) => [
    { server, name },
    ...(server.includes('_') ? [{ server: server.replaceAll('_', '-'), name }] : []),
    ...listOwners(server).flatMap((own) => [
      { server: own, name },
      { server: own.replaceAll('_', '-'), name },
      { server: own.replaceAll('_', ''), name },
    ]),
  ]);
}

/** Possible server names behind a plugin or a connector. */
function listOwners(server: string): string[] {
  if (CONNECTOR.test(server)) return [server.replace(CONNECTOR, '')];
  return PLUGIN.test(server) ? [...server.matchAll(/_/g)].map(({ index }) => server.slice(index + 1)) : [];
}

/** Strings that differ only in case, blanks or invisible characters are equal. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}\s]/gu, '')
    .toLowerCase();
}
