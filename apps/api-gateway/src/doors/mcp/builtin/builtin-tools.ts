import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { McpTools } from '../create-mcp-server.ts';
import type { BuiltinTool, McpCall } from '../tool.ts';
import { createApprovalStatusTool } from './get-approval-status.ts';
import { createAskOperatorTool, type AskDeps } from './ask-operator.ts';
import { createSearchSessionsTool, type SearchToolDeps } from './search-sessions.ts';

export type BuiltinDeps = SearchToolDeps & AskDeps;

/** The tools of the service itself. */
export function createBuiltinTools(deps: BuiltinDeps): McpTools {
  const tools: readonly BuiltinTool[] = [
    createAskOperatorTool(deps),
    createApprovalStatusTool(deps),
    createSearchSessionsTool(deps),
  ];
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const definitions: readonly Tool[] = tools.map(({ definition }) => definition);
  return {
    list: () => Promise.resolve(definitions),
    call: async (name: string, call: McpCall): Promise<CallToolResult | undefined> => byName.get(name)?.call(call),
  };
}
