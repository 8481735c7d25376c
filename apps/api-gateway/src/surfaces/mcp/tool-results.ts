import type { CallToolResult } from '@modelcontextprotocol/server';

/** Returns the result of a tool, as structured content for programs and as the same JSON in a string for models. */
export function answerStructured(value: object): CallToolResult {
  const text = JSON.stringify(value);
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as Record<string, unknown> };
}

/** Returns a refusal that the agent can act on: models read tool errors, but stop at protocol errors. */
export function refuse(reason: string, detail: string): CallToolResult {
  return { ...answerStructured({ refused: true, reason, detail }), isError: true };
}

export function answerError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
