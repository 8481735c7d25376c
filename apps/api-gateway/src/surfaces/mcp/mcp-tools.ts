import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { withoutRevisions } from '@steward/contracts';
import { deniesAlways } from '@steward/policies';
import { describeCaller } from '@steward/tool-calls';
import { ASK_OPERATOR, createAskOperatorTool } from './builtin/ask-operator.ts';
import { createApprovalStatusTool } from './builtin/get-approval-status.ts';
import type { CallDeps } from './calls/call-deps.ts';
import { callTool } from './calls/call-tool.ts';
import { findCaller } from './calls/describe-tool-call.ts';
import type { McpTools } from './create-mcp-server.ts';
import { findByName } from '@steward/tool-servers';
import type { BuiltinTool, GovernedTool, McpCall, McpCaller } from './tool.ts';

/**
 * Creates the tools of the MCP surface: those of the service, and those of the account's trackers and servers, as one
 * list.
 */
export function createMcpTools(deps: CallDeps): McpTools {
  const ask = {
    ...createAskOperatorTool(deps),
    server: 'local',
    name: ASK_OPERATOR,
    isChanged: false,
    isAlwaysHeld: true,
  };
  const status = createApprovalStatusTool(deps, async (name, caller) =>
    findByName([ask, ...(await listStored(caller))], name),
  );
  const builtin: readonly BuiltinTool[] = [ask, status];

  /**
   * Lists the tools that the database contains at the moment, even if they are not in the cache yet: a client that is
   * notified of a change requests the list only once, possibly before this process knows of the change (ACC-54).
   */
  async function listStored(caller: McpCaller): Promise<readonly GovernedTool[]> {
    return deps.source.list({ ...caller, principal: withoutRevisions(caller.principal) });
  }

  async function list(caller: McpCaller): Promise<readonly Tool[]> {
    const { principal } = caller;
    const [policy, facts, tools] = await Promise.all([
      deps.policies.read(deps.db, principal.accountId),
      describeCaller(deps.db, principal),
      listStored(caller),
    ]);
    const shown = [ask, ...tools].filter(
      ({ server, name }) => !deniesAlways(policy, { ...facts, tool: { server, name } }),
    );
    const definitions = [status, ...shown].map(({ definition }) => definition);
    return definitions.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  return {
    list,
    async call(name: string, call: McpCall): Promise<CallToolResult | undefined> {
      const own = builtin.find(({ definition }) => definition.name === name);
      if (own !== undefined) return own.call(call);
      const [tools, caller] = await Promise.all([deps.source.list(call.caller), findCaller(deps, call)]);
      const tool = findByName(tools, name) ?? findByName(await listStored(call.caller), name);
      return tool && callTool(deps, caller, { tool, call });
    },
  };
}
