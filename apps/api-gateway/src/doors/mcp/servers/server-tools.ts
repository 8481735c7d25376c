import type { Tool } from '@modelcontextprotocol/server';
import { nextSpan, type SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import type { ToolServerClient } from '@steward/mcp-client';
import {
  askSoon,
  openTarget,
  readCatalogue,
  readCatalogueStamp,
  type OfferedTools,
  type ToolDefinition,
} from '@steward/slice-tool-servers';
import { LRUCache } from 'lru-cache';
import type { GovernedTool, McpCall, ToolSource } from '../tool.ts';
import { ALSO_NAMED, exposeName, listOtherNames } from './expose-name.ts';

export interface ServerToolsDeps {
  readonly db: AnyDatabase;
  readonly toolServers: ToolServerClient;
  readonly toolServerSecrets: Pick<SecretBox, 'open'>;
}

/** Characters of definitions that are kept at hand, of all accounts together. */
const MAX_KEPT = 64 * 1024 * 1024;

/** Between two looks at a server that goes on saying that its tools have changed. */
const ASK_AFTER_SECONDS = 5;

interface Kept {
  readonly stamp: string;
  readonly tools: readonly GovernedTool[];
}

/** The tools of an account's servers as they were seen last: a server that is down is asked nothing but its own calls. */
export function createServerTools(deps: ServerToolsDeps): ToolSource {
  const kept = new LRUCache<string, Kept>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ tools }) =>
      1 + tools.reduce((sum, { definition }) => sum + JSON.stringify(definition).length, 0),
  });
  return {
    async list({ principal: { accountId } }) {
      const stamp = await readCatalogueStamp(deps.db, accountId);
      const known = kept.get(accountId);
      if (known?.stamp === stamp) return known.tools;
      const tools = listTools(deps, await readCatalogue(deps.db, accountId));
      kept.set(accountId, { stamp, tools });
      return tools;
    },
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

/** Whoever names tools in a setting of its own finds those that are offered by another name. */
function describeNames(server: string, { name, _meta: meta }: ToolDefinition): object {
  const others = listOtherNames(server, name);
  return others.length === 0 ? {} : { _meta: { ...(meta as object | undefined), [ALSO_NAMED]: others } };
}

/** The server knows the service by the headers it was saved with, and nothing of who calls. */
function runTool(
  { db, toolServers, toolServerSecrets }: ServerToolsDeps,
  server: OfferedTools,
  name: string,
  call: McpCall,
) {
  const { reportProgress, signal, arguments: args, caller } = call;
  const target = {
    key: `${server.id} ${server.targetVersion}`,
    name: server.name,
    ...openTarget(server, toolServerSecrets),
    // The next regular look comes anyway.
    onToolsChanged: () => void askSoon(db, server, ASK_AFTER_SECONDS).catch(() => undefined),
  };
  return toolServers.callTool(target, {
    name,
    arguments: args,
    caller: nameCaller(caller.principal),
    signal,
    traceparent: nextSpan(caller.traceparent),
    ...(reportProgress === undefined
      ? {}
      : { onProgress: (progress) => void reportProgress(progress).catch(() => undefined) }),
  });
}

function nameCaller({ executionId, apiKeyId, userId }: McpCall['caller']['principal']): string {
  if (executionId !== undefined) return `execution ${executionId}`;
  return apiKeyId === undefined ? `user ${userId}` : `key ${apiKeyId}`;
}
