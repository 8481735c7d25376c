import { Type } from '@sinclair/typebox';

const TOOLS =
  'Tools that a built-in agent may call: tools of the workspace, and tools at `/mcp/v1` by their names there or by a prefix followed by `*`. If the list is empty, the agent may call all tools of the workspace, including `run_shell`, and none at `/mcp/v1`.';

/** `allowed_tools` in a request that saves a flow. */
export const allowedTools = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 500, description: TOOLS }),
);
