import type { CallToolResult } from '@modelcontextprotocol/server';
import type { SecretBox } from '@steward/crypto';
import { parseExactJson } from '@steward/text';
import { describeCallContext, describeResultContext, type ApprovalRequest } from '@steward/approvals';
import type { DecidedTool, McpCall } from '../tool.ts';
import { refuse } from '../tool-results.ts';

/** A call in the form in which it is stored until it is approved. */
export interface KeptCall {
  readonly server: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * Maximum size of a stored result; a larger one is returned completely only to the caller for which the call is made,
 * and only its beginning is stored.
 */
const MAX_KEPT_RESULT = 256 * 1024;
const MAX_BEGINNING = 64 * 1024;
export const TOO_LARGE = 'The call was made. Its result was too large to be stored.';

export function sealCall(box: SecretBox, { server, name }: DecidedTool, { arguments: args }: McpCall) {
  const kept: KeptCall = { server, name, arguments: args };
  return (request: ApprovalRequest): Buffer => box.seal(JSON.stringify(kept), describeCallContext(request));
}

export function openCall(box: SecretBox, request: ApprovalRequest, sealed: Buffer): KeptCall {
  return parseExactJson(box.open(sealed, describeCallContext(request))) as KeptCall;
}

export function sealResult(box: SecretBox, request: ApprovalRequest, result: CallToolResult): Buffer {
  const text = JSON.stringify(result);
  const kept = Buffer.byteLength(text) > MAX_KEPT_RESULT ? JSON.stringify(cutResult(result)) : text;
  return box.seal(kept, describeResultContext(request));
}

/**
 * Returns what is stored instead of a result that is too large: a message which states that the call was made, and the
 * beginning of the result.
 */
function cutResult({ content, structuredContent }: CallToolResult): CallToolResult {
  const texts = content.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  const said = texts.length === 0 ? JSON.stringify(structuredContent ?? content) : texts.join('\n');
  const beginning = Buffer.from(said).subarray(0, MAX_BEGINNING).toString();
  const refusal = refuse('result_not_kept', `${TOO_LARGE} The beginning of the result follows.`);
  return { ...refusal, content: [...refusal.content, { type: 'text', text: beginning }] };
}

export function openResult(box: SecretBox, request: ApprovalRequest, sealed: Buffer): CallToolResult {
  return parseExactJson(box.open(sealed, describeResultContext(request))) as CallToolResult;
}
