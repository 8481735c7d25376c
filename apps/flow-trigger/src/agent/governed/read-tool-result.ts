import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ToolResult } from '../tools/tool.ts';

/** A call that waits for its approval or its result. */
export interface WaitingCall {
  readonly requestId: string;
}

const WAITING: ReadonlySet<unknown> = new Set(['pending_approval', 'running']);

/**
 * Returns the request that a call waits for; undefined for a final result. If the tool has an output schema, the API
 * names the request only in the text of the result.
 */
export function readWaiting(result: CallToolResult): WaitingCall | undefined {
  const said = (result.structuredContent as Record<string, unknown> | undefined) ?? readJson(result);
  const requestId = said?.['approval_request_id'];
  return WAITING.has(said?.['status']) && typeof requestId === 'string' ? { requestId } : undefined;
}

/** Returns the id of the approval request that a result names; undefined if it names none. */
export function readRequestId({ structuredContent }: CallToolResult): string | undefined {
  const requestId = (structuredContent as Record<string, unknown> | undefined)?.['approval_request_id'];
  return typeof requestId === 'string' ? requestId : undefined;
}

/**
 * Returns whether the API refused a request for a temporary reason; the result of a tool is never marked in this way.
 */
export function isTemporary({ _meta: meta }: CallToolResult): boolean {
  return meta?.['steward/may_repeat'] === true;
}

/**
 * Renders a result for the model: text items and text resources in full, other items as a short description; without
 * items, the structured data.
 */
export function readToolResult(result: CallToolResult): ToolResult {
  const parts = result.content.map((part) => (part.type === 'text' ? part.text : describePart(part)));
  const structured = result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent);
  const text = parts.length === 0 ? structured : parts.join('\n');
  return { kind: result.isError === true ? 'failed' : 'done', text };
}

function describePart(part: Exclude<CallToolResult['content'][number], { type: 'text' }>): string {
  switch (part.type) {
    case 'resource':
      return 'text' in part.resource ? part.resource.text : `[resource ${part.resource.uri}]`;
    case 'resource_link':
      return `[resource ${part.uri}]`;
    default:
      return `[${part.type}, ${part.mimeType}]`;
  }
}

function readJson({ isError, content }: CallToolResult): Record<string, unknown> | undefined {
  const [part, ...rest] = content;
  if (isError !== true || part?.type !== 'text' || rest.length > 0 || !part.text.startsWith('{')) return undefined;
  try {
    return JSON.parse(part.text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
