import type { CallToolResult } from '@modelcontextprotocol/server';

/** What a tool found, for programs and, as the same JSON in text, for models. */
export function answerStructured(value: object): CallToolResult {
  const text = JSON.stringify(value);
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as Record<string, unknown> };
}

/** A no that the agent can act on: models read the errors of tools, and end their turn at those of the protocol. */
export function refuse(reason: string, detail: string): CallToolResult {
  return { ...answerStructured({ refused: true, reason, detail }), isError: true };
}

export function answerError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
