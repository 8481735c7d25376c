export interface ToolName {
  readonly server: string;
  readonly name: string;
}

export interface ReadToolName {
  /** The tool to which the name most likely refers. */
  readonly tool: ToolName;
  /** Other tools to which the name may refer: a rule that denies or holds one of them also counts. */
  readonly otherReadings: readonly ToolName[];
}

const LOCAL = 'local';
/** Maximum number of candidates per separator, since each candidate is looked up; no real name has that many. */
const MAX_SPLITS = 8;
/** Prefixes that clients add to the names of server tools. */
const PREFIX = /^(?:functions\.)?mcp[_./:]+/i;
/** Matches the prefix of names such as `mcp__SERVER__TOOL`. */
const PLAIN_PREFIX = /^(?:functions\.)?mcp__/i;
/** Claude Code's name for the server of a plugin: `plugin_PLUGIN_SERVER`; PLUGIN and SERVER may contain underscores. */
const PLUGIN = /^plugin_./i;
/**
 * Claude Code's name for a connector of the user's account: `claude_ai_NAME`, with underscores instead of blanks and
 * other characters.
 */
const CONNECTOR = /^claude_ai_(?=.)/i;

/**
 * Returns the server and tool to which a name from a client refers (POL-23). The server is given separately, or the
 * name contains it: `mcp__github__create_issue` as in coding agents, `github__create_issue` as in `/mcp/v1`,
 * `github/create_issue` as in policies. Every surface that receives a name uses this parser; tools that the service
 * itself calls need no parsing.
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
  // A name with the prefix `mcp__` does not refer to a built-in tool of the agent.
  if (meant[0] !== undefined) return { tool: meant[0], otherReadings: withPlugins(listSplits(name)) };
  const tool = [...splitAt(/__/g, name), ...splitAt(/\//g, name)][0] ?? local;
  const isUnclear = PREFIX.test(name) && !PLAIN_PREFIX.test(name);
  return { tool: isUnclear ? local : tool, otherReadings: withPlugins([local, tool, ...listSplits(name)]) };
}

function readBeside(server: string, name: string): ReadToolName {
  const splits = listSplits(name);
  // The server may be given twice, in the name and separately.
  const own = splits.find((reading) => fold(reading.server) === fold(server));
  const tool = { server, name: own?.name ?? name };
  // The client's name for a server may contain two consecutive underscores. A client that splits the full name at the
  // first such pair sends only the beginning of the server's name, so the server and the name are joined, and split at
  // every such pair.
  const joined = splitAt(/__/g, `${server}__${name}`);
  const others = PREFIX.test(name) || /[./:]/.test(name) ? splits : [];
  const ofServer = others.map((reading) => ({ server, name: reading.name }));
  return { tool, otherReadings: withPlugins([tool, { server, name }, ...joined, ...others, ...ofServer]) };
}

/**
 * Returns every way to split a name into server and tool. If the prefix is `mcp_` with a single underscore, the name is
 * also split at single underscores.
 */
function listSplits(name: string): ToolName[] {
  const bare = name.replace(PREFIX, '');
  const single = /^(?:functions\.)?mcp_(?!_)/i.test(name) ? splitAt(/_/g, bare) : [];
  return [...splitAt(/__/g, bare), ...splitAt(/[./:]/g, bare), ...single];
}

/** Returns the ways to split a string at a separator, with characters on both sides, from left to right. */
function splitAt(separator: RegExp, text: string): ToolName[] {
  return [...text.matchAll(separator)]
    .map(({ index, 0: { length } }) => ({ server: text.slice(0, index), name: text.slice(index + length) }))
    .filter(({ server, name }) => server !== '' && name !== '' && !server.includes('/'))
    .slice(0, MAX_SPLITS)
    .map(({ server, name }) => ({ server: readServer(server), name }));
}

/**
 * Adds the servers to which a server name with underscores may refer, since server names in Steward contain no
 * underscores.
 */
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

/** Returns possible server names of a plugin or a connector. */
function listOwners(server: string): string[] {
  if (CONNECTOR.test(server)) return [server.replace(CONNECTOR, '')];
  return PLUGIN.test(server) ? [...server.matchAll(/_/g)].map(({ index }) => server.slice(index + 1)) : [];
}

/** Returns equal strings for names that differ only in case, blanks or invisible characters. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}\s]/gu, '')
    .toLowerCase();
}
