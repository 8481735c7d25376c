export interface ToolName {
  readonly server: string;
  readonly name: string;
}

export interface ReadToolName {
  /** The tool that the spelling means. */
  readonly tool: ToolName;
  /** Others that it could mean: what a rule denies or holds of them counts, too. */
  readonly otherReadings: readonly ToolName[];
}

const LOCAL = 'local';
/** More than any name has: each is looked up. */
const MAX_SPLITS = 8;
/** What clients put in front of tools of servers. */
const PREFIX = /^(?:functions\.)?mcp[_./:]+/i;
/** The one that says where the server ends: at the next two underscores. */
const PLAIN_PREFIX = /^(?:functions\.)?mcp__/i;
/** How Claude Code names the server of a plugin: `plugin_PLUGIN_SERVER`, where both may hold underscores. */
const PLUGIN = /^plugin_./i;
/** And that of a connector of the user's account: `claude_ai_NAME`, with underscores for blanks and signs. */
const CONNECTOR = /^claude_ai_(?=.)/i;

/**
 * Server and tool of a name as clients write it, alone or with the server beside it: `mcp__github__create_issue` of coding agents,
 * `github__create_issue` of `/mcp/v1`, `github/create_issue` of policies (POL-23). The one function of every surface that is told a
 * name; a tool that the service calls itself is known by its own.
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
  // With the prefix it is no tool of the agent itself.
  if (meant[0] !== undefined) return { tool: meant[0], otherReadings: withPlugins(listSplits(name)) };
  const tool = [...splitAt(/__/g, name), ...splitAt(/\//g, name)][0] ?? local;
  const isUnclear = PREFIX.test(name) && !PLAIN_PREFIX.test(name);
  return { tool: isUnclear ? local : tool, otherReadings: withPlugins([local, tool, ...listSplits(name)]) };
}

function readBeside(server: string, name: string): ReadToolName {
  const splits = listSplits(name);
  // Said twice.
  const own = splits.find((reading) => fold(reading.server) === fold(server));
  const tool = { server, name: own?.name ?? name };
  // A server whose name holds two underscores is cut too early by who reads it out of one name.
  const joined = splitAt(/__/g, `${server}__${name}`);
  const others = PREFIX.test(name) || /[./:]/.test(name) ? splits : [];
  const ofServer = others.map((reading) => ({ server, name: reading.name }));
  return { tool, otherReadings: withPlugins([tool, { server, name }, ...joined, ...others, ...ofServer]) };
}

/** Every way to cut a name in two; at single underscores where the prefix was written with one. */
function listSplits(name: string): ToolName[] {
  const bare = name.replace(PREFIX, '');
  const single = /^(?:functions\.)?mcp_(?!_)/i.test(name) ? splitAt(/_/g, bare) : [];
  return [...splitAt(/__/g, bare), ...splitAt(/[./:]/g, bare), ...single];
}

/** Where there is something on both sides, from left to right. */
function splitAt(separator: RegExp, text: string): ToolName[] {
  return [...text.matchAll(separator)]
    .map(({ index, 0: { length } }) => ({ server: text.slice(0, index), name: text.slice(index + length) }))
    .filter(({ server, name }) => server !== '' && name !== '' && !server.includes('/'))
    .slice(0, MAX_SPLITS)
    .map(({ server, name }) => ({ server: readServer(server), name }));
}

/** And the servers that a name with underscores may stand for: names of ours hold none. */
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

/** What the server is called that a plugin or a connector brings. */
function listOwners(server: string): string[] {
  if (CONNECTOR.test(server)) return [server.replace(CONNECTOR, '')];
  return PLUGIN.test(server) ? [...server.matchAll(/_/g)].map(({ index }) => server.slice(index + 1)) : [];
}

/** Texts that differ in case, in blanks or in signs that nobody sees are one. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}\s]/gu, '')
    .toLowerCase();
}
