import { setTimeout as delay } from 'node:timers/promises';
import { AGAIN, RefusedError } from '../client.ts';

export interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly text?: string }[];
}

export interface ToolCall {
  readonly url: string;
  readonly token: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const TIMEOUT_MS = 15_000;
const RETRY_MS = 200;

/**
 * Calls a tool of the service like an agent that repeats a call until it gets a response.
 * @returns undefined if `signal` has aborted the retries
 */
export async function callTool(call: ToolCall, signal: AbortSignal): Promise<ToolAnswer | undefined> {
  while (!signal.aborted) {
    const answer = await tryCall(call);
    if (answer !== undefined) return answer;
    await delay(RETRY_MS);
  }
  return undefined;
}

async function tryCall({ url, token, name, args }: ToolCall): Promise<ToolAnswer | undefined> {
  let status: number;
  let text: string;
  try {
    const response = await fetch(`${url}/mcp/v1`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args, _meta: { 'steward/wait_seconds': 0 } },
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    text = await response.text();
  } catch {
    return undefined;
  }
  if (status >= 500 || AGAIN.includes(status)) return undefined;
  const message = readMessage(text);
  if (status === 200 && message?.result !== undefined) {
    // This result means that the database was unavailable (TOOL-4).
    return message.result.structuredContent?.['reason'] === 'unavailable' ? undefined : message.result;
  }
  // The stream ended before the response.
  if (status === 200 && message === undefined) return undefined;
  // This protocol error means that the service is unavailable.
  if (message?.error?.data?.code === 'unavailable') return undefined;
  throw new RefusedError(`${name}: ${status} ${text}`);
}

interface Message {
  readonly result?: ToolAnswer;
  readonly error?: { readonly data?: { readonly code?: string } };
}

function readMessage(text: string): Message | undefined {
  const json = text.startsWith('{')
    ? text
    : text
        .split('\n')
        .findLast((line) => line.startsWith('data: {'))
        ?.slice(6);
  return json === undefined ? undefined : (JSON.parse(json) as Message);
}
