import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server';
import type { ServerRefusal } from '@steward/mcp-client';
import { toPlainJson } from '@steward/text';

type Fields = Readonly<Record<string, unknown>>;

/** Error code for a request that waits for people, or that failed without an error code from the server. */
const SERVER_ERROR = -32_000;

/**
 * Original responses that this process has received, keyed by the tool results to which they were converted. For the
 * stored result of an approved call, there is no original response.
 */
const whole = new WeakMap<CallToolResult, Fields>();

/**
 * Converts the content of a resource to a tool result. The content is recorded and stored in this form, like the result
 * of a tool call.
 */
export function packResource(answer: Fields): CallToolResult {
  const contents = answer['contents'] as readonly Fields[];
  return keep(answer, { content: contents.map((resource) => ({ type: 'resource', resource })) as never });
}

export function packPrompt(answer: Fields): CallToolResult {
  const messages = answer['messages'] as readonly Fields[];
  return keep(answer, { content: messages.map(({ content }) => content) as never, structuredContent: { ...answer } });
}

function keep(answer: Fields, result: CallToolResult): CallToolResult {
  whole.set(result, answer);
  return result;
}

/** Converts an error of the server to a tool result, with its original message. */
export function answerRefusal({ code, message, data }: ServerRefusal): CallToolResult {
  const error = { code, ...(data === undefined ? {} : { data }) };
  return { isError: true, content: [{ type: 'text', text: message }], structuredContent: { error } };
}

export const unpackResource = (result: CallToolResult): Fields =>
  unpack(result, ({ content }) => {
    const contents = content.flatMap((item) => (item.type === 'resource' ? [item.resource] : []));
    return contents.length === content.length ? { contents } : undefined;
  });

export const unpackPrompt = (result: CallToolResult): Fields =>
  unpack(result, ({ structuredContent }) => {
    const answer = structuredContent as Fields | undefined;
    return Array.isArray(answer?.['messages']) ? answer : undefined;
  });

/**
 * Returns the original response.
 * @throws ProtocolError if the result is an error, or the call waits for people
 */
function unpack(result: CallToolResult, read: (result: CallToolResult) => Fields | undefined): Fields {
  const known = whole.get(result) ?? (result.isError === true ? undefined : read(result));
  if (known !== undefined) return known;
  const said = result.content.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
  const { error, ...state } = (toPlainJson(result.structuredContent) ?? {}) as {
    readonly error?: { readonly code: number; readonly data?: unknown };
  } & Fields;
  if (error !== undefined) throw new ProtocolError(error.code, said, error.data);
  if (state['approval_request_id'] !== undefined) throw new ProtocolError(SERVER_ERROR, describeWait(state), state);
  throw new ProtocolError(SERVER_ERROR, said === '' ? 'The request failed.' : said);
}

function describeWait({ status, approval_request_id: id }: Fields): string {
  return status === 'pending_approval' || status === 'running'
    ? `The call is waiting for approval (request ${String(id)}). Repeat it, or call get_approval_status.`
    : `The call was started, but its outcome is unknown (request ${String(id)}).`;
}

export function refuseUnknown(what: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, what);
}
