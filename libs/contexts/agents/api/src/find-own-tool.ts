import type { AnyDatabase } from '@steward/database';
import type { ReadToolName } from '@steward/policies';
import { listOfferedNames, exposeName } from '@steward/tool-servers';
import { readSentTool } from '@steward/api';
import { isBuiltIn, readServerOf, type ReadOwnTool } from './read-own-tool.ts';

interface SentTool {
  readonly tool_name: string;
  readonly server?: string | undefined;
}

export type AskedTool =
  /**
   * A tool of the MCP surface. That surface itself decides about the calls of the tool and records them, so no second
   * decision is needed (TOOL-21).
   */
  { readonly kind: 'of_door' } | { readonly kind: 'other'; readonly read: ReadToolName };

/**
 * Returns the tool that a permission check is about. If a name only resembles the name of one of the service's tools,
 * the policy evaluates the call both under that tool's name and under the given name.
 * @throws invalid_request for an unreadable name
 */
export async function findAskedTool(
  { db, readOwnTool }: { readonly db: AnyDatabase; readonly readOwnTool: ReadOwnTool },
  accountId: string,
  sent: SentTool,
): Promise<AskedTool> {
  const read = readSentTool(sent);
  const own = readOwnTool({ name: sent.tool_name, server: sent.server });
  if (own === undefined) return { kind: 'other', read };
  const server = readServerOf(own);
  if (isBuiltIn(own)) return { kind: 'of_door' };
  if (server === undefined) return { kind: 'other', read };
  const names = await listOfferedNames(db, { accountId, server });
  if (names.some((name) => exposeName(server, name) === own)) return { kind: 'of_door' };
  const there = readSentTool({ tool_name: own });
  const otherReadings = [...there.otherReadings, read.tool, ...read.otherReadings];
  return { kind: 'other', read: { tool: there.tool, otherReadings } };
}
