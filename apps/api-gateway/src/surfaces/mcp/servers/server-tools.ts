import type { Tool } from '@modelcontextprotocol/server';
import {
  readCatalogue,
  readCatalogueStamp,
  type OfferedTools,
  type ToolDefinition,
  ALSO_NAMED,
  exposeName,
  listOtherNames,
} from '@steward/tool-servers';
import { readFreshRevision } from '@steward/contracts';
import { LRUCache } from 'lru-cache';
import type { GovernedTool, McpCall, McpCaller, OfferingServer, ToolSource } from '../tool.ts';
import { offerServer } from './offer-server.ts';
import { describeCall, reachServer, type ServerToolsDeps } from './reach-server.ts';

/** Maximum size of cached definitions, of all accounts together. */
const MAX_KEPT = 64 * 1024 * 1024;

interface Kept {
  /** Value of the account's revision counter before the tools were read; undefined if the value is unknown. */
  revision: number | undefined;
  readonly stamp: string;
  readonly tools: readonly GovernedTool[];
  readonly servers: readonly OfferingServer[];
}

/**
 * Creates the source of the tools of an account's servers. The source returns the tools that each server listed last,
 * so that an unreachable server only affects calls of its own tools.
 */
export function createServerTools(deps: ServerToolsDeps): ToolSource {
  const kept = new LRUCache<string, Kept>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ tools }) =>
      1 + tools.reduce((sum, { definition }) => sum + JSON.stringify(definition).length, 0),
  });
  async function read({ principal }: McpCaller): Promise<Kept> {
    const { accountId } = principal;
    const revision = readFreshRevision(principal, 'toolServers');
    const known = kept.get(accountId);
    if (revision !== undefined && known?.revision === revision) return known;
    const stamp = await readCatalogueStamp(deps.db, accountId);
    if (known?.stamp === stamp) {
      if (revision !== undefined) known.revision = revision;
      return known;
    }
    const offered = await readCatalogue(deps.db, accountId);
    const servers = offered.map((server) => offerServer(deps, server));
    const now: Kept = { revision, stamp, tools: listTools(deps, offered), servers };
    kept.set(accountId, now);
    return now;
  }
  return {
    list: async (caller) => (await read(caller)).tools,
    servers: async (caller) => (await read(caller)).servers,
  };
}

function listTools(deps: ServerToolsDeps, servers: readonly OfferedTools[]): GovernedTool[] {
  const byName = new Map<string, GovernedTool>();
  for (const server of servers) {
    for (const { definition, hash, isChanged } of server.tools) {
      const name = exposeName(server.name, definition.name);
      if (byName.has(name)) continue;
      byName.set(name, {
        definition: { ...definition, name, ...describeNames(server.name, definition) } as unknown as Tool,
        server: server.name,
        name: definition.name,
        isChanged,
        definitionHash: hash,
        run: (call) => runTool(deps, server, definition.name, call),
      });
    }
  }
  return [...byName.values()];
}

/**
 * Returns the metadata of a tool with its other names, so that users who configure tool names find the tools whose
 * names have changed.
 */
function describeNames(server: string, { name, _meta: meta }: ToolDefinition): object {
  const others = listOtherNames(server, name);
  return others.length === 0 ? {} : { _meta: { ...(meta as object | undefined), [ALSO_NAMED]: others } };
}

function runTool(deps: ServerToolsDeps, server: OfferedTools, name: string, call: McpCall) {
  const asked = { name, arguments: call.arguments, ...describeCall(call) };
  return deps.toolServers.callTool(reachServer(deps, server), asked);
}
