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
/** Coding agents, with the server in front. */
const PREFIX = /^mcp__/;
/** How Claude Code names the server of a plugin: `plugin_PLUGIN_SERVER`, where both may hold underscores. */
const PLUGIN = /^plugin_./;

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
  const isPrefixed = PREFIX.test(name);
  const splits = isPrefixed ? splitAtUnderscores(name.replace(PREFIX, '')) : [];
  const spelled = splits.length > 0 ? splits : [...splitAtUnderscores(name), ...splitAtSlash(name)];
  const local = { server: LOCAL, name };
  const [tool = local, ...others] = spelled;
  // With the prefix it is no tool of the agent itself.
  return { tool, otherReadings: withPlugins(splits.length > 0 ? spelled : [local, tool, ...others]) };
}

function readBeside(server: string, name: string): ReadToolName {
  const spelled = [
    ...(PREFIX.test(name) ? splitAtUnderscores(name.replace(PREFIX, '')) : splitAtUnderscores(name)),
    ...splitAtSlash(name),
  ];
  // Said twice.
  const own = spelled.find((reading) => fold(reading.server) === fold(server));
  const tool = { server, name: own?.name ?? name };
  // A server whose name holds two underscores is cut too early by who reads it out of one name.
  const joined = splitAtUnderscores(`${server}__${name}`);
  const others = PREFIX.test(name) || name.includes('/') ? spelled : [];
  const ofServer = others.map((reading) => ({ server, name: reading.name }));
  return { tool, otherReadings: withPlugins([tool, { server, name }, ...joined, ...others, ...ofServer]) };
}

/** At every pair of underscores that has something on both sides, the first one first. */
function splitAtUnderscores(text: string): ToolName[] {
  return [...text.matchAll(/(?<=[^_/])__(?=.)/gs)]
    .slice(0, MAX_SPLITS)
    .map(({ index }) => ({ server: text.slice(0, index), name: text.slice(index + 2) }))
    .filter(({ server }) => !server.includes('/'));
}

function splitAtSlash(text: string): ToolName[] {
  const [, server, name] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  return server === undefined || name === undefined ? [] : [{ server: readServer(server), name }];
}

/** And the servers that a name with underscores may stand for: names of ours hold none. */
function withPlugins(readings: readonly ToolName[]): ToolName[] {
  return readings.flatMap(({ server, name }) => [
    { server, name },
    ...(server.includes('_') ? [{ server: server.replaceAll('_', '-'), name }] : []),
    ...(PLUGIN.test(server)
      ? [...server.matchAll(/_/g)].flatMap(({ index }) => {
          const own = server.slice(index + 1);
          return [
            { server: own, name },
            { server: own.replaceAll('_', '-'), name },
          ];
        })
      : []),
  ]);
}

/** Texts that differ in case, in blanks or in signs that nobody sees are one. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}\s]/gu, '')
    .toLowerCase();
}
