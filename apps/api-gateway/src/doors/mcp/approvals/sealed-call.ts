import type { CallToolResult } from '@modelcontextprotocol/server';
import type { SecretBox } from '@steward/crypto';
import { parseExactJson } from '@steward/text';
import { describeCallContext, describeResultContext, type ApprovalRequest } from '@steward/slice-approvals';
import type { GovernedTool, McpCall } from '../tool.ts';

/** A call as it is kept until it is approved. */
export interface KeptCall {
  readonly server: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Larger ones are given to whoever waits for them, and not kept. */
const MAX_KEPT_RESULT = 256 * 1024;

export function sealCall(box: SecretBox, { server, name }: GovernedTool, { arguments: args }: McpCall) {
  const kept: KeptCall = { server, name, arguments: args };
  return (request: ApprovalRequest): Buffer => box.seal(JSON.stringify(kept), describeCallContext(request));
}

export function openCall(box: SecretBox, request: ApprovalRequest, sealed: Buffer): KeptCall {
  return parseExactJson(box.open(sealed, describeCallContext(request))) as KeptCall;
}

/** Null: too large to be kept. */
export function sealResult(box: SecretBox, request: ApprovalRequest, result: CallToolResult): Buffer | null {
  const text = JSON.stringify(result);
  return Buffer.byteLength(text) > MAX_KEPT_RESULT ? null : box.seal(text, describeResultContext(request));
}

export function openResult(box: SecretBox, request: ApprovalRequest, sealed: Buffer): CallToolResult {
  return parseExactJson(box.open(sealed, describeResultContext(request))) as CallToolResult;
}
