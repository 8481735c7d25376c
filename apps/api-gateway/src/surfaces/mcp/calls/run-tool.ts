import type { CallToolResult } from '@modelcontextprotocol/server';
import { inSpan } from '@steward/telemetry';
import type { GovernedTool, McpCall } from '../tool.ts';

/**
 * Runs a tool in a separate span, which contains neither the arguments nor the result. The spans of the tool's server
 * are children of this span.
 */
export function runTool(tool: GovernedTool, call: McpCall): Promise<CallToolResult> {
  const { name } = tool.definition;
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'extension',
    'mcp.method.name': 'tools/call',
  };
  const { traceparent: parent } = call.caller;
  return inSpan({ name: `execute_tool ${name}`, kind: 'internal', parent, attributes }, async (span) => {
    if (span === undefined) return tool.run(call);
    const result = await tool.run({ ...call, caller: { ...call.caller, traceparent: span.traceparent } });
    if (result.isError === true) span.set({ 'error.type': 'tool_error' });
    return result;
  });
}
